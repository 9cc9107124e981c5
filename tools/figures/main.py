#!/usr/bin/env python3
"""The figures of the papers that show results, anew: ./dev figures [FOLDER]

Runs the example scenes, draws each figure as SVG, and writes one HTML page for each paper with the numbers that the
print or its text gives, those of closed forms, and ours. Usage: main.py PROGRAM FOLDER [--fast] [PAPER...]; --fast: one or two figures of
each paper, as a test."""
import html
import sys
import time
from pathlib import Path

import ahmed
import compliant_implicit
import contact_kinematics
import cooking
import stewart_trinkle
import thesis_point
import thesis_robot
import thesis_volume
from runs import Runs

PAPERS = {
    "stewart-trinkle-2000": stewart_trinkle.FIGURES,
    "cooking-complementarity-2006": cooking.FIGURES,
    "compliant-implicit-2007": compliant_implicit.FIGURES,
    "contact-kinematics-2003": contact_kinematics.FIGURES,
    "gonthier-thesis-2007": sorted(
        thesis_point.FIGURES + ahmed.FIGURES + thesis_robot.FIGURES + thesis_volume.FIGURES,
        key=lambda figure: [int(part) for part in figure[0].split(",")[0].split(".")]),
}
STYLE = ("body{font-family:sans-serif;max-width:62em;margin:2em auto}td,th{padding:2px 12px;text-align:left}"
         "img{max-width:100%;display:block}table{font-size:90%}")


def write_page(paper, entries, folder):
    parts = [f'<!doctype html><meta charset="utf-8"><title>{paper}</title><style>{STYLE}</style>', f"<h1>{paper}</h1>"]
    for number, caption, svgs, numbers in entries:
        parts.append(f"<h2>Fig. {number}: {html.escape(caption)}</h2>")
        parts += [f'<img src="{svg}" alt="Fig. {number}">' for svg in svgs]
        if numbers:
            rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in numbers)
            parts.append(f"<table><tr><th></th><th>print</th><th>closed form</th><th>ours</th></tr>{rows}</table>")
    (folder / f"{paper}.html").write_text("\n".join(parts) + "\n")


def make_figure(runs, paper, figure):
    number, caption, make, _ = figure
    texts, numbers = make(runs)
    names = []
    for i, text in enumerate(texts):
        names.append(f"{paper}_{number.replace(', ', '-').replace('.', '_')}{chr(98 + i) if i else ''}.svg")
        (runs.folder / names[-1]).write_text(text)
    for row in numbers:
        print(f"{number}: {row.quantity}: print {row.printed or '-'}, closed form {row.closed or '-'}, ours {row.ours}")
    return number, caption, names, numbers


def main():
    words = [word for word in sys.argv[1:] if word != "--fast"]
    is_fast = "--fast" in sys.argv
    program, folder = Path(words[0]).resolve(), Path(words[1])
    unknown = [paper for paper in words[2:] if paper not in PAPERS]
    if unknown:
        sys.exit(f"figures: no paper {unknown[0]}; there are {', '.join(PAPERS)}")
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    runs = Runs(program, folder)
    start = time.monotonic()
    for paper in words[2:] or PAPERS:
        chosen = [figure for figure in PAPERS[paper] if figure[3] or not is_fast]
        entries = [make_figure(runs, paper, figure) for figure in chosen]
        write_page(paper, entries, folder)
        print(f"{folder / paper}.html: {len(entries)} figures, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
