"""cooking-complementarity-2006: its figures are drawings of systems; here are their motions."""
from draw import Panel, draw


def motion(example, signals):
    def make(runs):
        run = runs.get(example)
        panel = Panel("time [s]", "position [m]")
        for signal in signals:
            t, values = runs.read(run, signal)
            panel.curves.append((signal, t, values))
        return [draw([panel])], []
    return make


TITLES = (("Double pendulum", ("a.position.x", "a.position.y", "b.position.x", "b.position.y")),
          ("Pendulum on a block on a smooth floor", ("block.position.x", "b.position.x", "b.position.y")),
          ("The same with friction", ("block.position.x", "b.position.x", "b.position.y")),
          ("Pushed", ("block.position.x", "pusher.position.x", "b.position.y")),
          ("Pushed on a belt", ("block.position.x", "pusher.position.x", "b.position.y")),
          ("Particle on a spring, full planar model", ("block.position.x", "pusher.position.x", "particle.position.y")))
FIGURES = [(f"4.{i + 1}", f"{title} (section 4.{i + 1}: the paper shows the system, no result)",
            motion(f"recipe_4_{i + 1}", signals), i == 0) for i, (title, signals) in enumerate(TITLES)]
