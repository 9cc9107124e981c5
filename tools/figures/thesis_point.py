"""gonthier-thesis-2007, sections 3.2 and 5.1: the point contact model."""
import math

from draw import Panel, draw, draw_path
from numbers_table import computed, printed
from runs import at

DEGREE = math.pi / 180
G = 9.81


def figure_3_3(runs):
    """An impact at 1 m/s with e = 0.5, by both laws; the spring of the linear one has the same greatest depth at e = 1."""
    mass, k, e = 0.454, 3.4e10, 0.5
    depth = (5 * mass / (4 * k)) ** 0.4
    stiffness = mass / depth**2
    ratio = -math.log(e) / math.hypot(math.pi, math.log(e))
    damping = 2 * ratio * math.sqrt(stiffness * mass)
    laws = [("linear damping (here it does not pull)", f'{{law="linear",stiffness={stiffness!r},damping={damping!r}}}'),
            ("hysteretic damping", f'{{law="hertz",stiffness={k},restitution={e}}}')]
    panel, numbers = Panel("indentation [m]", "contact force [N]"), []
    for (label, law), first in zip(laws, (damping, 0)):
        run = runs.get("impact", f'contact."ball/plane".normal={law}', "body.ball.position=[0,0,0.02]",
                       "time.duration=4e-4", "time.output=1e-7")
        _, x, force = runs.read(run, "contact.ball/plane.depth", "contact.ball/plane.force")
        panel.curves.append((label, x, force))
        numbers.append(printed(f"force at touch-down, {label} [N]", "positive and non-zero" if first else "zero",
                               f"{force[1]:.1f}", closed=f"c v = {first:.1f}" if first else "0"))
    return [draw([panel])], numbers


def figure_3_4(runs):
    """d of e by (3.23), as `stiction material` gives it, and by the approximations (3.26) and (3.27)."""
    panel = Panel("e_eff [-]", "d [-]", x_range=(0, 1), y_range=(0, 1))
    es, ds, worst = [0.02 + 0.049 * i for i in range(21)], [], 0
    for e in es:
        text = runs.call("material", "--friction", "0.4", "--restitution", str(e))
        ds.append(next(float(line.split()[3]) for line in text.splitlines() if "damping factor d" in line))
        if ds[-1] < 0.99:  # beyond, 1 - d has few digits
            worst = max(worst, abs((1 + ds[-1] / e) / (1 - ds[-1]) / math.exp(ds[-1] * (1 + 1 / e)) - 1))
    panel.curves = [("closed form, (3.23)", es, ds),
                    ("Hunt and Crossley, (3.26)", es, [1.5 * e * (1 - e) for e in es]),
                    ("Lankarani and Nikravesh, (3.27)", es, [0.75 * e * (1 - e * e) for e in es])]
    return [draw([panel])], [printed("largest d", "less than or equal to 1", f"{max(ds):.4f}"),
                             printed("d at e = 1", "goes to zero", f"{ds[-1]:.4f}"),
                             computed("left side of (3.23) over its right side", "1", f"1 to {worst:.0e}")]


def figure_5_1(runs):
    """Ratio of the restitution that comes out to the wanted e = 1 - 0.2 v, for two models of d."""
    speeds = [0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]
    panel = Panel("impact velocity [m/s]", "e_eff / e_emp [-]", x_range=(0, 5), y_range=(0.9, 3.5))
    worst = 0
    for rule, label in (("hunt_crossley", "Hunt and Crossley"), ("exact", "proposed, (3.23)")):
        ratios = []
        for v in speeds:
            run = runs.get("impact", f"body.ball.velocity=[0,0,{-v}]", "time.duration=4e-4", "time.step=1e-7",
                           "body.ball.position=[0,0,0.02]",
                           'contact."ball/plane".normal={law="hertz",stiffness=3.4e10,restitution_slope=0.2,'
                           f'damping_rule="{rule}"}}')
            ratios.append(runs.read(run, "ball.velocity.z")[1][-1] / v / (1 - 0.2 * v))
        panel.curves.append((label, speeds, ratios))
        if rule == "exact":
            worst = max(abs(ratio - 1) for ratio in ratios)
    return [draw([panel])], [printed("ratio of the proposed model", "always equals 1", f"1 to {worst:.1e}"),
                             printed("ratio of Hunt and Crossley at 0", "1", f"{panel.curves[0][2][0]:.4f} at 0.25 m/s")]


def figure_5_2(runs):
    panel = Panel("indentation [m]", "contact force [N]")
    depths = []
    for e in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        run = runs.get("impact", f'contact."ball/plane".normal.restitution={e}', "body.ball.position=[0,0,0.02]",
                       "time.duration=3e-4")
        _, depth, force = runs.read(run, "contact.ball/plane.depth", "contact.ball/plane.force")
        panel.curves.append((f"e = {e:g}", depth, force))
        depths.append(max(depth))
    # m v^2 / 2 = 2/5 k x^(5/2)
    expected = (5 * 0.454 / (4 * 3.4e10)) ** 0.4
    return [draw([panel])], [computed("greatest indentation for e = 1 at 1 m/s [m]: 2/5 k x^(5/2) = m v^2/2",
                                      f"{expected:.6e}", f"{depths[-1]:.6e}")]


def first_peak(values):
    return next(b for a, b, c in zip(values, values[1:], values[2:]) if b >= a and b > c)


def stick_slip(speed):
    def make(runs):
        v = speed / math.sqrt(2)
        run = runs.get("stick_slip", f"body.plate.shape.surface_velocity=[{v},{v},0]", f"body.block.velocity=[{v},{v},0]")
        t, x, y, friction = runs.read(run, "block.position.x", "block.position.y", "contact.block/plate.friction")
        distance = [math.hypot(a, b) for a, b in zip(x, y)]
        panels = [Panel("time [s]", "|r| [m]", [("", t, distance)]), Panel("time [s]", "|f_t| [N]", [("", t, friction)])]
        for panel in panels:
            panel.x_range, panel.height = (0, 60), 170
        peak = max(friction)
        return [draw(panels)], [printed("first peak of friction [N]", "the maximum stiction limit", f"{peak:.4f}", closed="mu_S m g = 1.5"),
                                computed("|r| at the first slip [m]: at least mu_S m g / k", "0.75", f"{first_peak(distance):.4f}")]
    return make


def in_plane_frame(runs, run, prefix):
    """A vector in the frame that is turned by 20 degrees about y with the plane."""
    x, y, z = runs.vector(run, prefix)
    c, s = math.cos(20 * DEGREE), math.sin(20 * DEGREE)
    return [[c * a - s * b for a, b in zip(x, z)], y, [s * a + c * b for a, b in zip(x, z)]]


def figure_5_7(runs):
    run = runs.get("ball_on_slope")
    x, y, z = in_plane_frame(runs, run, "ball.position")
    return [draw_path(list(zip(x, y, z)), ("x [m]", "y [m]", "z [m]"), ((min(x), 20), (0, max(1.5, max(y))), (0, 2)))], [
        printed("height of the centre while it rolls [m]", "around 0.5 m from the plane", f"{z[-1]:.4f}")]


def velocities(runs, run, v, w, x_range=None):
    t = runs.read(run, "energy.total")[0]
    panels = [Panel("time [s]", "velocity [m/s]", [(name, t, values) for name, values in zip("xyz", v)]),
              Panel("time [s]", "angular velocity [rad/s]", [(name, t, values) for name, values in zip("xyz", w)])]
    for panel in panels:
        panel.x_range, panel.height = x_range, 190
    return draw(panels)


def figure_5_8(runs):
    run = runs.get("ball_on_slope")
    v, w = in_plane_frame(runs, run, "ball.velocity"), in_plane_frame(runs, run, "ball.angular_velocity")
    t = runs.read(run, "energy.total")[0]
    slope = (v[0][-1] - at(t, v[0], t[-1] - 1))
    return [velocities(runs, run, v, w)], [
        computed("acceleration along x in rolling [m/s^2]: 5/7 g sin 20 deg",
                 f"{5 / 7 * G * math.sin(20 * DEGREE):.4f}", f"{slope:.4f}"),
        printed("v_x - R w_y in rolling [m/s]", "v = R w", f"{v[0][-1] - 0.1 * w[1][-1]:.1e}")]


def path(example, ranges):
    def make(runs):
        run = runs.get(example)
        return [draw_path(list(zip(*runs.vector(run, "ball.position"))), ("X [m]", "Y [m]", "Z [m]"), ranges)], []
    return make


def ball_velocities(example, numbers=None):
    def make(runs):
        run = runs.get(example)
        v, w = runs.vector(run, "ball.velocity"), runs.vector(run, "ball.angular_velocity")
        return [velocities(runs, run, v, w)], numbers(v, w) if numbers else []
    return make


def rolling_numbers(v, w):
    k = max(range(len(v[0]) // 2, len(v[0])), key=lambda i: abs(w[1][i]))
    speed = math.hypot(v[0][k], v[2][k])
    return [printed("speed where the spin peaks [m/s]", "1 m/s when w peaks at 10 rad/s", f"{speed:.3f} at {abs(w[1][k]):.2f} rad/s")]


def energy(example, note=None):
    def make(runs):
        run = runs.get(example)
        t, total = runs.read(run, "energy.total")
        return [draw([Panel("time [s]", "total energy [J]", [("", t, total)])])], note(t, total) if note else []
    return make


def joints(signals, unit_factor, label):
    def make(runs):
        run = runs.get("pendulum_on_floor")
        panel = Panel("time [s]", label, x_range=(0, 9))
        for name, signal in zip(("joint 1", "joint 2"), signals):
            t, values = runs.read(run, signal)
            panel.curves.append((name, t, [value * unit_factor for value in values]))
        if not label.startswith("position"):
            return [draw([panel])], []
        first, second = (curve[2][-1] for curve in panel.curves)
        return [draw([panel])], [
            printed("first joint at rest [deg] (very sensitive: not reproduced)", "2.2", f"{abs(first):.3f}"),
            printed("second joint at rest [deg]", "around -65", f"{second:.1f}")]
    return make


def figure_5_17(runs):
    run = runs.get("pendulum_on_floor")
    _, a, b = runs.read(run, "shoulder.position", "elbow.position")
    x = [0.5 * math.sin(p) + 0.25 * math.sin(p + q) for p, q in zip(a, b)]
    y = [-0.5 * math.cos(p) - 0.25 * math.cos(p + q) for p, q in zip(a, b)]
    panel = Panel("X [m]", "Y [m]", [("tip", x, y)], equal=True)
    panel.circles.append((x[0], y[0], 0.008, "#d55e00", False))
    panel.lines.append(([(min(x), -0.61), (max(x), -0.61)], "#333333"))
    return [draw([panel])], []


def figure_5_18(runs):
    run = runs.get("pendulum_on_floor")
    t, dwell = runs.read(run, "contact.lower/floor.dwell")
    sticks = max(time for time, s in zip(t, dwell) if s < 0.5)
    return [draw([Panel("time [s]", "s_dw [-]", [("", t, dwell)], x_range=(0, 9), y_range=(0, 1.05))])], [
        printed("the friction goes over to sticking, s_dw passes 0.5 [s]", "after 6.5", f"{sticks:.2f}")]


JOINTS = ("swing", "shoulder", "elbow", "pitch", "yaw", "roll")


def arm_joints(quantity, factor, label, numbers=None):
    def make(runs):
        run = runs.get("arm_free_motion")
        panel = Panel("time [s]", label)
        for joint in JOINTS:
            t, values = runs.read(run, f"{joint}.{quantity}")
            start = values[0] if quantity == "position" else 0
            panel.curves.append((joint, t, [factor * (value - start) for value in values]))
        if quantity != "position":
            return [draw([panel])], []
        return [draw([panel])], [printed("each joint moves by [deg]", "10",
                                  ", ".join(f"{max(values):.2f}" for _, _, values in panel.curves))]
    return make


FIGURES = [
    ("3.3", "Linear against hysteretic damping", figure_3_3, False),
    ("3.4", "Damping factor d against the restitution", figure_3_4, False),
    ("5.1", "Effective restitution for two models of d", figure_5_1, True),
    ("5.2", "Contact force against indentation, e from 0.1 to 1", figure_5_2, False),
    ("5.4", "Stick-slip, 0.05 m/s", stick_slip(0.05), False),
    ("5.5", "Stick-slip, 0.1 m/s", stick_slip(0.1), True),
    ("5.6", "Stick-slip, 0.15 m/s", stick_slip(0.15), False),
    ("5.7", "Ball on an inclined plane: path, in the frame of the plane", figure_5_7, False),
    ("5.8", "Ball on an inclined plane: velocities, in the frame of the plane", figure_5_8, False),
    ("5.9", "Ball in a cylinder, plane motion: path", path("ball_in_cylinder_2d", ((-1, 1), (-0.5, 0.5), (0, 1))), False),
    ("5.10", "Ball in a cylinder, plane motion: velocities", ball_velocities("ball_in_cylinder_2d", rolling_numbers), False),
    ("5.11", "Ball in a cylinder: path", path("ball_in_cylinder_3d", ((-1, 1), (0, 3), (0, 1))), False),
    ("5.12", "Ball in a cylinder: velocities", ball_velocities("ball_in_cylinder_3d"), False),
    ("5.13", "Ball in a cylinder: total energy", energy("ball_in_cylinder_3d", lambda t, e: [
        printed("loss in the second half [J]", "the energy is constant", f"{at(t, e, t[-1] / 2) - e[-1]:.1e}")]), False),
    ("5.15", "Double pendulum: joint positions",
     joints(("shoulder.position", "elbow.position"), 1 / DEGREE, "position [deg]"), False),
    ("5.16", "Double pendulum: joint velocities",
     joints(("shoulder.velocity", "elbow.velocity"), 1 / DEGREE, "velocity [deg/s]"), False),
    ("5.17", "Double pendulum: path of the tip", figure_5_17, False),
    ("5.18", "Double pendulum: dwell state", figure_5_18, False),
    ("5.19", "Double pendulum: total energy", energy("pendulum_on_floor"), False),
    ("5.25", "Robot in free motion: joint positions, from the start", arm_joints("position", 1 / DEGREE, "position [deg]"), False),
    ("5.26", "Robot in free motion: joint velocities", arm_joints("velocity", 1 / DEGREE, "velocity [deg/s]"), False),
    ("5.27, 5.28", "Robot in free motion: joint moments (5.28 shifts those of the experiment only)",
     arm_joints("force", 1, "moment [N m]"), False),
]
