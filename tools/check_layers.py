#!/usr/bin/env python3
"""Checks every #include of the library against tools/layers.txt: a layer may include itself and the layers named there.

Also checks that a layer only names earlier ones, so that a cycle cannot be written, which files of the program read
scenes, and that the library reads and writes no numbers by functions that follow the locale of its host (1,5 for 1.5).
Exit code 1 lists what is wrong.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
allowed, scene_readers, faults = {}, set(), []
for line in (root / "tools/layers.txt").read_text().splitlines():
    line = line.split("#")[0].strip()
    if not line:
        continue
    layer, _, names = line.partition(":")
    if layer == "apps/cli":
        scene_readers |= set(names.split())
        continue
    for name in names.split():
        if name not in allowed:
            faults.append(f"tools/layers.txt: {layer} names {name}, which is not an earlier layer")
    allowed[layer.strip()] = set(names.split())

of_the_locale = re.compile(r"\b(strto[df]|sto[df]|ato[fl]|s?scanf|sn?printf|setlocale)\s*\(")
include = re.compile(r'^\s*#\s*include\s*["<]stiction/([a-z_]+)/')
count = 0
for path in sorted((root / "stiction").rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    layer = path.relative_to(root / "stiction").parts[0]
    if layer == path.name:  # <stiction/simulation.h>: names a header of a layer
        continue
    if layer not in allowed:
        faults.append(f"{path.relative_to(root)}: layer {layer} is not in tools/layers.txt")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if of_the_locale.search(line):
            faults.append(f"{path.relative_to(root)}:{number}: depends on the locale; use fmt and std::from_chars")
        match = include.match(line)
        if match:
            count += 1
            if match[1] != layer and match[1] not in allowed[layer]:
                faults.append(f"{path.relative_to(root)}:{number}: {layer} may not include {match[1]}")
reads_scene = re.compile(r'^\s*#\s*include\s*["<]stiction/scene/(read|compile)/')
for path in sorted((root / "apps/cli").iterdir()):
    if path.suffix not in (".h", ".cpp") or path.stem in scene_readers:
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if reads_scene.match(line):
            faults.append(f"{path.relative_to(root)}:{number}: may not read scenes: a finished run describes itself")
for layer in allowed:
    if not (root / "stiction" / layer).is_dir():
        faults.append(f"tools/layers.txt: there is no folder stiction/{layer}")

print("\n".join(faults) if faults else f"{count} includes respect the layers")
sys.exit(1 if faults else 0)
