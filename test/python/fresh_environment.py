"""The Python package as installed: into a new virtual environment, from which all its tests are run, and a type checker.

    python fresh_environment.py BUILD CMAKE SOURCE WORK

BUILD: the build tree; WORK: a folder that is made anew. The interpreter is that of build/venv, whose packages the new
environment sees. (./dev python does the same with the wheel, and with nothing else in the environment.)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import venv

build, cmake, source, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
shutil.rmtree(work, ignore_errors=True)
venv.create(work / "venv", with_pip=False)
python = work / "venv/bin/python"
site = next((work / "venv/lib").glob("python*/site-packages"))
(site / "tools.pth").write_text(sysconfig.get_path("purelib") + "\n")
subprocess.run([cmake, "--install", build, "--component", "python", "--prefix", site], check=True, stdout=subprocess.DEVNULL)

environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
environment.update(PYTHONDONTWRITEBYTECODE="1", STICTION_EXAMPLES=str(source / "examples"))
empty = work / "empty"
empty.mkdir()


def call(*arguments):
    subprocess.run([python, *arguments], check=True, cwd=empty, env=environment)


call("-c", f"import stiction; assert stiction.__file__.startswith({str(site)!r}), stiction.__file__")
if subprocess.run([python, "-c", "import mypy"], stderr=subprocess.DEVNULL).returncode == 0:
    call("-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", work / "mypy", "--package", "stiction")
call("-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", source / "bindings/python/tests")
