"""gonthier-thesis-2007, section 5.2: the volumetric contact model."""
import math

from draw import Panel, draw, draw_path
from numbers_table import ours_alone, printed
from runs import at, first_time, rate, rotate
from thesis_point import ball_velocities, energy, path

RADIUS, MASS = 0.1, 2.0
INERTIA = 0.4 * MASS * RADIUS**2  # of a solid ball


def groove_numbers(v, w):
    return [printed("speed along Y at the end [m/s]", "eventually stops", f"{v[1][-1]:.4f}")]


def figure_5_38(runs):
    run = runs.get("ball_on_table")
    t = runs.read(run, "energy.total")[0]
    v, w = runs.vector(run, "ball.velocity"), runs.vector(run, "ball.angular_velocity")
    panels = [Panel("time [s]", label, [(name, t, values) for name, values in zip("XYZ", columns)], x_range=(0, 4.5), height=190)
              for label, columns in (("velocity [m/s]", v), ("angular velocity [rad/s]", w))]
    after = 0.2  # between the first and the second bounce
    spin_stops = first_time(t, w[2], lambda x: abs(x) < 0.01)
    return [draw(panels)], [
        printed("Y velocity after the first bounce [m/s]", "0.2", f"{at(t, v[1], after):.4f}"),
        printed("X angular velocity after it [rad/s]", "-2", f"{at(t, w[0], after):.3f}"),
        printed("Y velocity at 0.35 s [m/s]", "0.197", f"{at(t, v[1], 0.35):.4f}"),
        printed("it stops spinning [s]", "1.9", f"{spin_stops:.3f}"),
        printed("it rolls off [s]", "at 4; it slips at 4.3", f"{last_contact(runs, run):.3f}")]


def last_contact(runs, run):
    t, force = runs.read(run, "contact.ball/table.force")
    return max(time for time, f in zip(t, force) if f > 0)


def table_force(runs, run):
    """Force on the ball in world axes [N]: m (dv/dt - g), means over the intervals between samples."""
    t = runs.read(run, "energy.total")[0]
    fx, fy, fz = ([MASS * a for a in rate(t, column)] for column in runs.vector(run, "ball.velocity"))
    return t, fx, fy, [0.0] + [f + MASS * 9.81 for f in fz[1:]]


def figure_5_39(runs):
    run = runs.get("ball_on_table", "time.output=1e-3")
    t, _, fy, fz = table_force(runs, run)
    rolling = at(t, fz, 2.5)
    return [draw([Panel("time [s]", f"f_{axis} [N]", [("", t, values)], x_range=(0, 4.5), height=170)
                  for axis, values in (("y", fy), ("z", fz))])], [
        printed("f_z while it rolls [N]", "constant", f"{rolling:.2f}", closed=f"m g = {MASS * 9.81:.2f}"),
        printed("f_y over the edge", "positive", f"up to {max(f for time, f in zip(t, fy) if time > 3):.2f} N"),
        printed("impacts that f_z shows", "3", str(len(runs.events(run, "impact"))))]


def figure_5_40(runs):
    run = runs.get("ball_on_table", "time.output=1e-3")
    t = runs.read(run, "energy.total")[0]
    w = runs.vector(run, "ball.angular_velocity")
    mx, mz = ([INERTIA * a for a in rate(t, w[i])] for i in (0, 2))
    return [draw([Panel("time [s]", f"tau_{axis} [N m]", [("", t, values)], x_range=(0, 4.5), height=170)
                  for axis, values in (("x", mx), ("z", mz))])], [
        printed("tau_z while it spins and rolls", "constant, < 0", f"{at(t, mz, 1.0):.2e} and {at(t, mz, 1.4):.2e} N m"),
        printed("tau_z once it has stopped spinning", "0", f"{at(t, mz, 2.8):.1e} N m")]


def figure_5_41(runs):
    run = runs.get("ball_on_table")
    t, ny, force = runs.read(run, "contact.ball/table.normal.y", "contact.ball/table.force")
    # The normal that pushes the ball; the signal is of the table, the second side.
    points = [(time, math.degrees(math.acos(-n))) for time, n, f in zip(t, ny, force) if f > 0]
    return [draw([Panel("time [s]", "theta_y [deg]", [("", *zip(*points))], x_range=(0, 4.5))])], [
        printed("angle while it rolls [deg]", "vertical", f"{at(*zip(*points), 2.0):.2f}", closed="90"),
        printed("angle at the end of the contact [deg]", "tilts toward +Y", f"{points[-1][1]:.1f}")]


def figure_5_42(runs):
    run = runs.get("ball_on_table")
    t, dwell = runs.read(run, "contact.ball/table.dwell")
    start = first_time(t, dwell, lambda s: s > 0.02)
    return [draw([Panel("time [s]", "s_dw [-]", [("", t, dwell)], x_range=(0, 4.5), y_range=(0, 1.05))])], [
        printed("it begins to rise [s]", "only after 1.8", f"{start:.2f}"), printed("largest value", "up to 1", f"{max(dwell):.4f}")]


def solver_runs(runs, kind):
    """ode23tb has no counterpart here: cvode_bdf at the same tolerances; ode3 is rk3."""
    if kind == "adaptive":
        return [(f"cvode_bdf {tol}", runs.get("ball_on_table", "time.output=1e-3", f"method.relative_tolerance={tol}",
                                               f"method.absolute_tolerance={tol}")) for tol in ("1e-5", "1e-6", "1e-7")]
    return [(f"rk3 {h * 1e6:.0f} us", runs.get("ball_on_table", "time.output=1e-3", "method={type=\"compliant\",integrator=\"rk3\"}",
                                                f"time.step={h}")) for h in (50e-6, 250e-6, 1000e-6)]


def solver_figure(kinds, quantity, x_range, y_range=None):
    def make(runs):
        chosen = [run for kind in kinds for run in solver_runs(runs, kind)]
        if len(kinds) == 2:
            chosen = [chosen[2], chosen[3]]
        labels = {"force": "f_z [N]", "energy": "total energy [J]", "position": "Y [m]"}
        panel = Panel("time [s]", labels[quantity], x_range=x_range, y_range=y_range)
        numbers = []
        for label, run in chosen:
            if quantity == "force":
                t, _, _, values = table_force(runs, run)
            else:
                t, values = runs.read(run, "energy.total" if quantity == "energy" else "ball.position.y")
            inside = [(time, value) for time, value in zip(t, values) if x_range[0] <= time <= x_range[1]]
            panel.curves.append((label, *zip(*inside)))
            if quantity == "energy":
                rise = max(b - a for (_, a), (_, b) in zip(inside, inside[1:]))
                numbers.append(printed(f"largest rise of the energy in 1 ms, {label} [J]",
                                       "rises with 1e-5 and 1e-6" if "adaptive" in kinds else "no increase", f"{rise:.1e}",
                                       closed="0"))
            if quantity == "position":
                numbers.append(ours_alone(f"Y = 0.3 m reached, {label} [s]", f"{first_time(t, values, lambda y: y > 0.3):.3f}"))
        if quantity == "position":
            edge = [first_time(t, y, lambda y: y > 0.3) for _, t, y in panel.curves]
            numbers.append(printed("offset of the 50 us and 250 us curves [s]", "about 0.2", f"{edge[0] - edge[1]:.3f}"))
            panel.lines.append(([(x_range[0], 0.3), (x_range[1], 0.3)], "#333333"))
        return [draw([panel])], numbers
    return make


TOP_START = {200: None, 185: "[0, -18.4691820, 184.0757706]"}


def top_run(runs, modified):
    if not modified:
        return runs.get("tippe_top")
    return runs.get("tippe_top", f"body.top.angular_velocity={TOP_START[185]}", 'contact."top/ground".friction.spin_factor=0.65')


def inclination(modified):
    def make(runs):
        t, tilt = runs.read(top_run(runs, modified), "top.tilt")
        turned = first_time(t, tilt, lambda x: x > math.pi / 2)
        numbers = [ours_alone("passes pi/2 [s]", f"{turned:.3f}"),
                   printed("stands on its stem (within 0.25 rad of pi) [s]", "" if modified else "1.6",
                    f"{first_time(t, tilt, lambda x: x > math.pi - 0.25):.3f}")]
        if not modified:
            low = min(range(t.index(first_time(t, t, lambda x: x > 0.5))), key=lambda i: tilt[i])
            numbers.insert(0, printed("smallest angle at the beginning [rad]", "0 at 0.15 s", f"{tilt[low]:.4f} at {t[low]:.2f} s"))
        return [draw([Panel("time [s]", "theta [rad]", [("", t, tilt)], x_range=(0, 4), y_range=(0, math.pi + 0.1))])], numbers
    return make


def figure_5_57(runs):
    panel = Panel("time [s]", "Omega_z [rad/s]", x_range=(0, 4))
    for label, modified in (("original", False), ("modified", True)):
        t, w = runs.read(top_run(runs, modified), "top.angular_velocity.z")
        panel.curves.append((label, t, w))
    return [draw([panel])], [printed("spin lost in 2 s [rad/s]", "original more quickly",
                              ", ".join(f"{label} {w[0] - at(t, w, 2):.1f}" for label, t, w in panel.curves))]


BOX_MASS, BOX_SIZE = 100.0, (0.9144, 0.7112, 0.3048)


def box_vectors(prefix, label):
    def make(runs):
        run = runs.get("battery_box", "time.output=1e-3")
        t = runs.read(run, "energy.total")[0]
        columns = runs.vector(run, prefix)
        panel = Panel("time [s]", label, [(name, t, column) for name, column in zip("XYZ", columns)], x_range=(0, 4))
        late = max(abs(x) for column in columns for time, x in zip(t, column) if time > 3.5)
        return [draw([panel])], [printed("largest component after 3.5 s", "at rest after 2 s", f"{late:.1e}")]
    return make


def box_force(x_range, y_range=None):
    def make(runs):
        run = runs.get("battery_box", "time.output=1e-3")
        t = runs.read(run, "energy.total")[0]
        force = [[BOX_MASS * a for a in rate(t, column)] for column in runs.vector(run, "box.velocity")]
        force[0] = [0.0] + [f - BOX_MASS for f in force[0][1:]]  # without gravity, 1 m/s^2
        names = "XYZ" if y_range is None else "X"
        panel = Panel("time [s]", "force [N]", [(f"f_{name.lower()}", t, column) for name, column in zip(names, force)],
                      x_range=x_range, y_range=y_range)
        late = [f for time, f in zip(t, force[0]) if time > 3.5]
        return [draw([panel])], [printed("f_x at the end, mean after 3.5 s [N]", "-100", f"{sum(late) / len(late):.2f}")] if y_range else []
    return make


def figure_5_62(runs):
    """Contact moments about the centre: d(R I R' w)/dt."""
    run = runs.get("battery_box", "time.output=1e-3")
    t = runs.read(run, "energy.total")[0]
    quaternions, spins = zip(*runs.vector(run, "box.orientation", "wxyz")), zip(*runs.vector(run, "box.angular_velocity"))
    a, b, c = (s * s for s in BOX_SIZE)
    inertia = [BOX_MASS / 12 * s for s in (b + c, a + c, a + b)]
    momenta = []
    for q, w in zip(quaternions, spins):
        local = rotate((q[0], -q[1], -q[2], -q[3]), w)
        momenta.append(rotate(q, [i * x for i, x in zip(inertia, local)]))
    panel = Panel("time [s]", "moment [N m]", [(f"tau_{name}", t, rate(t, list(column)))
                                                for name, column in zip("xyz", zip(*momenta))], x_range=(0, 4))
    return [draw([panel])], []


def figure_5_64(runs):
    """The box every 0.2 s, seen along Y; X points down, as gravity does."""
    run = runs.get("battery_box", "time.output=1e-3")
    t = runs.read(run, "energy.total")[0]
    panel = Panel("Z [m]", "-X [m]", equal=True)
    place, turn = runs.vector(run, "box.position"), runs.vector(run, "box.orientation", "wxyz")
    for k in range(9):
        p = [at(t, column, 0.2 * k) for column in place]
        q = [at(t, column, 0.2 * k) for column in turn]
        corners = [rotate(q, (sx * BOX_SIZE[0] / 2, 0, sz * BOX_SIZE[2] / 2)) for sx, sz in
                   ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 1))]
        panel.curves.append((f"{0.2 * k:.1f} s", [p[2] + c[2] for c in corners], [-p[0] - c[0] for c in corners]))
    for z0, z1, x0, x1 in ((-0.2824, 0.2824, 0.4572, 0.5072), (0.1624, 0.2824, 0.2572, 0.4572), (-0.2824, -0.1624, 0.2572, 0.4572)):
        panel.lines.append(([(z0, -x0), (z1, -x0), (z1, -x1), (z0, -x1), (z0, -x0)], "#888888"))
    for s in (1, -1):
        panel.lines.append(([(s * 0.1624, -0.2572), (s * 0.2824, -0.1372), (s * 0.2824, -0.2572)], "#888888"))
    return [draw([panel])], []


EDGE = (3.5, 4.5)
FIGURES = [
    ("5.34", "Ball in a cylinder, volumetric: path", path("ball_in_groove", ((-1, 1), (0, 1.5), (0, 1))), False),
    ("5.35", "Ball in a cylinder, volumetric: velocities", ball_velocities("ball_in_groove", groove_numbers), False),
    ("5.36", "Ball in a cylinder, volumetric: total energy", energy("ball_in_groove", lambda t, e: [
        printed("loss in the second half [J]", "decays", f"{at(t, e, t[-1] / 2) - e[-1]:.3f}")]), False),
    ("5.37", "Ball on a table: path", path("ball_on_table", ((-0.25, 0.25), (0, 0.5), (-0.2, 0.2))), False),
    ("5.38", "Ball on a table: motion of its centre", figure_5_38, True),
    ("5.39", "Ball on a table: forces at its centre", figure_5_39, False),
    ("5.40", "Ball on a table: moments at its centre", figure_5_40, False),
    ("5.41", "Ball on a table: angle of the normal to the Y axis", figure_5_41, False),
    ("5.42", "Ball on a table: dwell state", figure_5_42, False),
    ("5.43", "Ball on a table: total energy", energy("ball_on_table"), False),
    ("5.44", "Adaptive solver, three tolerances: force in Z", solver_figure(["adaptive"], "force", EDGE), False),
    ("5.45", "Adaptive solver, three tolerances: total energy", solver_figure(["adaptive"], "energy", EDGE), False),
    ("5.46", "Adaptive solver: force in Z, magnified", solver_figure(["adaptive"], "force", (4.0, 4.4)), False),
    ("5.47", "Adaptive solver: total energy, magnified", solver_figure(["adaptive"], "energy", (4.0, 4.4)), False),
    ("5.48", "Fixed steps: force in Z", solver_figure(["fixed"], "force", EDGE), False),
    ("5.49", "Fixed steps: total energy", solver_figure(["fixed"], "energy", EDGE), False),
    ("5.50", "Fixed steps: Y of the centre", solver_figure(["fixed"], "position", (0, 4.5)), False),
    ("5.51", "Fixed steps: Y of the centre, magnified", solver_figure(["fixed"], "position", EDGE, (0.24, 0.34)), False),
    ("5.52", "Adaptive and fixed steps: force in Z", solver_figure(["adaptive", "fixed"], "force", EDGE), False),
    ("5.53", "Adaptive and fixed steps: total energy", solver_figure(["adaptive", "fixed"], "energy", EDGE), False),
    ("5.55", "Tippe top: inclination (original)", inclination(False), False),
    ("5.56", "Tippe top: inclination (modified)", inclination(True), False),
    ("5.57", "Tippe top: angular velocity about Z", figure_5_57, False),
    ("5.59", "Battery box: velocities", box_vectors("box.velocity", "velocity [m/s]"), False),
    ("5.60", "Battery box: angular velocities", box_vectors("box.angular_velocity", "angular velocity [rad/s]"), False),
    ("5.61", "Battery box: forces", box_force((0, 4)), False),
    ("5.62", "Battery box: moments", figure_5_62, False),
    ("5.63", "Battery box: force in X at the end", box_force((2, 4), (-300, 100)), False),
    ("5.64", "Battery box, every 0.2 s, in section", figure_5_64, False),
]
