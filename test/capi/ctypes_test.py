"""The C interface from Python's ctypes: against the program, and against host simulators written in C.

ctypes_test.py LIBRARY EXAMPLES PROGRAM HOST
"""
import ctypes
import json
import locale
import os
import subprocess
import sys
import tempfile

library, examples, program, host = sys.argv[1:]
c = ctypes.CDLL(library)
c.stiction_last_error.restype = ctypes.c_char_p
c.stiction_time.restype = ctypes.c_double
c.stiction_duration.restype = ctypes.c_double
c.stiction_time.argtypes = c.stiction_duration.argtypes = c.stiction_step.argtypes = [ctypes.c_void_p]
c.stiction_hash.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
c.stiction_free.argtypes = [ctypes.c_void_p]


def check(status):
    if status != 0:
        raise RuntimeError(c.stiction_last_error().decode())


simulation = ctypes.c_void_p()


def run_rod():
    overrides = (ctypes.c_char_p * 1)(b"time.duration=0.4")
    check(c.stiction_open(f"{examples}/falling_rod.toml".encode(), overrides, ctypes.c_size_t(1), ctypes.byref(simulation)))
    while c.stiction_time(simulation) < c.stiction_duration(simulation):
        check(c.stiction_step(simulation))
    found = ctypes.create_string_buffer(17)
    check(c.stiction_hash(simulation, found))
    c.stiction_free(simulation)
    return found.value.decode()


found = run_rod()

# The program itself: the same bits.
with tempfile.TemporaryDirectory() as folder:
    run = [program, "run", f"{examples}/falling_rod.toml", "--set", "time.duration=0.4", "--out", f"{folder}/run", "--json"]
    summary = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
expected = summary["hash"]
assert found == expected, (found, expected)

# In a host whose locale writes 1,5 for 1.5: the same bits, the same messages.
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"], check=True)
    os.environ["LOCPATH"] = folder
    locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    assert locale.localeconv()["decimal_point"] == ","
    found = run_rod()
    status = c.stiction_read(b"[time]\nstep = 0.25\nduration = 0.125\n[body.a]\nmass = 1\ninertia = 1\n", None,
                             ctypes.c_size_t(0), ctypes.byref(simulation))
    message = c.stiction_last_error().decode()
    locale.setlocale(locale.LC_ALL, "C")
assert found == expected, (found, expected)
assert status != 0 and "0.125 s" in message and "0.25 s" in message, message

try:
    check(c.stiction_read(b"[body.a]\nmas = 1\n", None, ctypes.c_size_t(0), ctypes.byref(simulation)))
except RuntimeError as error:
    assert 'did you mean "mass"' in str(error), error
else:
    raise AssertionError("a faulty scene was accepted")

# The ball in the cylinder, moved by a host simulator (bindings/c/examples), against the engine's own with CVODE: one
# impact and some rolling. Explicit steps of first order; how deep the first step of the impact is depends on the grid, so
# that the error falls with the step on the whole, not from each to the next (measured: 5e-5 m at 400 us, 3e-6 at 20 us).
scene = f"{examples}/ball_in_cylinder_3d.toml"
overrides = (ctypes.c_char_p * 2)(b"method.relative_tolerance=1e-11", b"method.absolute_tolerance=1e-12")
check(c.stiction_open(scene.encode(), overrides, ctypes.c_size_t(2), ctypes.byref(simulation)))
c.stiction_step_to.argtypes = [ctypes.c_void_p, ctypes.c_double]
check(c.stiction_step_to(simulation, 1.0))
body, position = ctypes.c_int(), (ctypes.c_double * 3)()
check(c.stiction_find_body(simulation, b"ball", ctypes.byref(body)))
check(c.stiction_get_pose(simulation, body, position, None))
c.stiction_free(simulation)


def calc_error(kind, step):
    output = subprocess.run([host, scene, kind, repr(step)], check=True, capture_output=True, text=True).stdout.split()
    return max(abs(float(x) - y) for x, y in zip(output[1:4], position))


for kind in ("fixed", "events"):
    coarse, fine = calc_error(kind, 4e-4), calc_error(kind, 1e-5)
    print(f"{kind}: {coarse:.2e} m at 400 us, {fine:.2e} m at 10 us")
    assert coarse < 2e-4 and fine < 5e-6 and fine < 0.2 * coarse, (kind, coarse, fine)
print("all passed")
