"""gonthier-thesis-2007, section 5.1.4: the robot with force and moment accommodation, Figs 5.29-5.32."""
FIGURES = []
