"""The program, as the tests of FMUs call it. STICTION_PROGRAM, STICTION_EXAMPLES: the program and its scenes."""
import os
import pathlib
import subprocess

import numpy as np

program = os.environ["STICTION_PROGRAM"]
examples = pathlib.Path(os.environ["STICTION_EXAMPLES"])


def export(scene, path, version, *arguments):
    subprocess.run([program, "export-fmu", scene, "-o", path, "--fmi", str(version), *arguments], check=True)
    return str(path)


def run_program(scene, folder, *arguments):
    subprocess.run([program, "run", scene, "--out", folder, *arguments], check=True, stdout=subprocess.DEVNULL)
    table = subprocess.run([program, "export", folder], check=True, capture_output=True, text=True).stdout.splitlines()
    names = table[0].split(",")
    values = np.array([[float(x) for x in line.split(",")] for line in table[1:]])
    return {name: values[:, i] for i, name in enumerate(names)}
