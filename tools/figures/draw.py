"""Figures as SVG: panels with the axes of a print, curves, snapshots of bodies, paths in space.

`stiction plot` draws recorded signals. The papers also show quantities made from them, bodies at several instants and
paths in space; this draws all figures alike."""
import html
import math
from dataclasses import dataclass, field

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#444444", "#56b4e9", "#e69f00")
DASHES = ("", "7 3", "2 2", "8 3 2 3")


@dataclass
class Panel:
    """One set of axes. A range that is None is that of the data."""
    x_label: str
    y_label: str
    curves: list = field(default_factory=list)  # (label, xs, ys)
    x_range: tuple = None
    y_range: tuple = None
    title: str = ""
    equal: bool = False  # both axes at one scale, as where bodies are drawn
    lines: list = field(default_factory=list)  # ([(x, y), ...], color): outlines of bodies
    circles: list = field(default_factory=list)  # (x, y, radius, color, filled)
    arrows: list = field(default_factory=list)  # (x, y, dx, dy, color)
    texts: list = field(default_factory=list)  # (x, y, text)
    height: int = 260


def ticks_of(low, high, count=6):
    """Multiples of 1, 2 or 5 times a power of ten."""
    raw = (high - low) / count
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]


def range_of(values, given, margin):
    if given:
        return given
    finite = [v for v in values if math.isfinite(v)]
    low, high = (min(finite), max(finite)) if finite else (0, 1)
    wide = (high - low) * margin if high > low else abs(high) / 2 or 1
    return low - wide, high + wide


def thin(points):
    """At most four points in a pixel column: first, lowest, highest, last."""
    out, i = [], 0
    while i < len(points):
        j = i
        while j < len(points) and int(points[j][0]) == int(points[i][0]):
            j += 1
        column = points[i:j]
        if len(column) > 4:
            low, high = (pick(range(len(column)), key=lambda k: column[k][1]) for pick in (min, max))
            column = [column[k] for k in sorted({0, low, high, len(column) - 1})]
        out += column
        i = j
    return out


class Svg:
    def __init__(self):
        self.parts = []

    def line(self, a, b, color="#333333", width=1, dash=""):
        self.polyline([a, b], color, width, dash)

    def polyline(self, points, color, width=1.5, dash="", clip=None):
        text = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        more = (f' stroke-dasharray="{dash}"' if dash else "") + (f' clip-path="url(#{clip})"' if clip else "")
        self.parts.append(f'<polyline points="{text}" fill="none" stroke="{color}" stroke-width="{width}"{more}/>')

    def circle(self, x, y, r, color, filled, clip):
        self.parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}" fill="{color if filled else "none"}" '
                          f'stroke="{color}" clip-path="url(#{clip})"/>')

    def text(self, x, y, text, anchor="start", size=12, turn=0):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{turned}>'
                          f"{html.escape(text)}</text>")

    def finish(self, width, height):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0f}" '
                f'viewBox="0 0 {width} {height:.0f}" font-family="sans-serif">'
                f'<rect width="{width}" height="{height:.0f}" fill="white"/>')
        return "\n".join([head] + self.parts + ["</svg>", ""])


WIDTH, LEFT, RIGHT, TOP, BOTTOM = 760, 74, 16, 26, 52


def draw_panel(svg, panel, top, index):
    """Draws it from `top` down; returns the height it took."""
    in_lines = [p for line, _ in panel.lines for p in line]
    xs = [x for _, curve, _ in panel.curves for x in curve] + [p[0] for p in in_lines]
    shown = panel.x_range or (-math.inf, math.inf)
    ys = [y for _, cx, cy in panel.curves for x, y in zip(cx, cy) if shown[0] <= x <= shown[1]] + [p[1] for p in in_lines]
    for x, y, r, _, _ in panel.circles:
        xs += [x - r, x + r]
        ys += [y - r, y + r]
    x_low, x_high = range_of(xs, panel.x_range, 0)
    y_low, y_high = range_of(ys, panel.y_range, 0.05)
    width, height = WIDTH - LEFT - RIGHT, panel.height
    if panel.equal:
        height = min(520, width * (y_high - y_low) / (x_high - x_low))
        width = height * (x_high - x_low) / (y_high - y_low)
    top += TOP
    x_of = lambda x: LEFT + width * (x - x_low) / (x_high - x_low)
    y_of = lambda y: top + height * (1 - (y - y_low) / (y_high - y_low))
    clip = f"area{index}"
    svg.parts.append(f'<clipPath id="{clip}"><rect x="{LEFT}" y="{top}" width="{width:.1f}" height="{height:.1f}"/></clipPath>')
    for tick in ticks_of(x_low, x_high):
        svg.line((x_of(tick), top), (x_of(tick), top + height), "#e4e4e4")
        svg.text(x_of(tick), top + height + 16, f"{tick:.6g}", "middle")
    for tick in ticks_of(y_low, y_high, 5):
        svg.line((LEFT, y_of(tick)), (LEFT + width, y_of(tick)), "#e4e4e4")
        svg.text(LEFT - 6, y_of(tick) + 4, f"{tick:.6g}", "end")
    svg.polyline([(LEFT, top), (LEFT + width, top), (LEFT + width, top + height), (LEFT, top + height), (LEFT, top)],
                 "#333333", 1)
    svg.text(LEFT + width / 2, top + height + 34, panel.x_label, "middle", 13)
    svg.text(16, top + height / 2, panel.y_label, "middle", 13, -90)
    svg.text(LEFT, top - 8, panel.title, size=14)
    for points, color in panel.lines:
        svg.polyline([(x_of(x), y_of(y)) for x, y in points], color, 1, clip=clip)
    for x, y, r, color, filled in panel.circles:
        svg.circle(x_of(x), y_of(y), max(r * width / (x_high - x_low), 2), color, filled, clip)
    for i, (_, cx, cy) in enumerate(panel.curves):
        points = [(x_of(x), y_of(y)) for x, y in zip(cx, cy) if math.isfinite(x) and math.isfinite(y)]
        svg.polyline(thin(points), COLORS[i % len(COLORS)], 1.5, DASHES[i // len(COLORS) % len(DASHES)], clip)
    for x, y, dx, dy, color in panel.arrows:
        draw_arrow(svg, (x_of(x), y_of(y)), (x_of(x + dx), y_of(y + dy)), color)
    for x, y, text in panel.texts:
        svg.text(x_of(x), y_of(y), text, size=11)
    return TOP + height + BOTTOM + draw_legend(svg, [label for label, _, _ in panel.curves], top + height + BOTTOM)


def draw_arrow(svg, a, b, color):
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if length < 1:
        return
    ux, uy, head = (b[0] - a[0]) / length, (b[1] - a[1]) / length, min(7, length / 2)
    svg.line(a, b, color, 2)
    for side in (0.5, -0.5):
        svg.line(b, (b[0] - head * (ux + side * uy), b[1] - head * (uy - side * ux)), color, 2)


def draw_legend(svg, labels, top):
    if not any(labels):
        return 0
    x, y = LEFT, top
    for i, label in enumerate(labels):
        width = 44 + 7 * len(label)
        if x > LEFT and x + width > WIDTH - RIGHT:
            x, y = LEFT, y + 18
        svg.line((x, y), (x + 24, y), COLORS[i % len(COLORS)], 2, DASHES[i // len(COLORS) % len(DASHES)])
        svg.text(x + 30, y + 4, label)
        x += width
    return y - top + 18


def draw(panels):
    """The panels below one another, as one SVG text."""
    svg, top = Svg(), 4
    for index, panel in enumerate(panels):
        top += draw_panel(svg, panel, top, index)
    return svg.finish(WIDTH, top)


def draw_path(path, labels, ranges):
    """A path in space and its projection onto the plane z = low, seen from the front right and above: x, y, z are
    scaled to their ranges, as the prints do."""
    svg = Svg()

    def place(x, y, z):
        u, v, w = ((c - low) / (high - low) for c, (low, high) in zip((x, y, z), ranges))
        return 330 + 290 * (v - u) * 0.87 + 20, 330 + 130 * (u + v) - 300 * w

    (x0, x1), (y0, y1), (z0, z1) = ranges
    for tick in ticks_of(x0, x1, 5):
        svg.line(place(tick, y0, z0), place(tick, y1, z0), "#e4e4e4")
        px, py = place(tick, y1, z0)
        svg.text(px + 8, py + 16, f"{tick:.4g}", "start", 11)
    for tick in ticks_of(y0, y1, 5):
        svg.line(place(x0, tick, z0), place(x1, tick, z0), "#e4e4e4")
        px, py = place(x1, tick, z0)
        svg.text(px - 8, py + 16, f"{tick:.4g}", "end", 11)
    for tick in ticks_of(z0, z1, 5):
        svg.line(place(x0, y0, tick), place(x0, y1, tick), "#eeeeee")
        svg.line(place(x0, y0, tick), place(x1, y0, tick), "#eeeeee")
        px, py = place(x1, y0, tick)
        svg.text(px - 8, py + 4, f"{tick:.4g}", "end", 11)
    for corner in ((x1, y0), (x0, y0), (x0, y1)):
        svg.line(place(*corner, z0), place(*corner, z1), "#999999")
    for a, b in (((x1, y0), (x1, y1)), ((x1, y1), (x0, y1))):
        svg.line(place(*a, z0), place(*b, z0), "#333333")
    px, py = place((x0 + x1) / 2, y1, z0)
    svg.text(px + 40, py + 34, labels[0], "start", 13)
    px, py = place(x1, (y0 + y1) / 2, z0)
    svg.text(px - 40, py + 34, labels[1], "end", 13)
    px, py = place(x1, y0, (z0 + z1) / 2)
    svg.text(px - 44, py, labels[2], "middle", 13, -90)
    path = [p for p in path if all(low <= c <= high for c, (low, high) in zip(p, ranges))]
    svg.polyline(thin_path([place(x, y, z0) for x, y, _ in path]), "#999999", 1.2)
    svg.polyline(thin_path([place(*p) for p in path]), COLORS[0], 1.6)
    return svg.finish(WIDTH, 640)


def thin_path(points, spacing=0.7):
    """Points at least so many pixels from the one before."""
    out = points[:1]
    for p in points[1:]:
        if math.hypot(p[0] - out[-1][0], p[1] - out[-1][1]) >= spacing:
            out.append(p)
    return out
