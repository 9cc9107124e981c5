"""Makes hostile runs out of a good one: python3 make_hostile.py RUN writes hostile_* beside it."""
import math
import pathlib
import shutil
import sqlite3
import struct
import sys

source = pathlib.Path(sys.argv[1])


def copy(name):
    folder = source.parent / f"hostile_{name}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    return folder / "run.sqlite"


def change(name, *statements):
    database = sqlite3.connect(copy(name))
    for statement in statements:
        database.execute(*statement)
    database.commit()
    database.close()


evil = "<img src=x onerror=alert(1)>\"'/\\</script><script>alert(2)</script>"
change(
    "markup",
    ("UPDATE contact_shape SET name = ? || name", (evil,)),
    ("UPDATE event SET name = ?, kind = ?", (evil, evil)),
    ("UPDATE signal SET name = ? || name WHERE name LIKE 'audit.%'", (evil,)),
)

# From the middle of a part on the rod is nowhere.
path = copy("nan")
database = sqlite3.connect(path)
rows = database.execute(
    "SELECT part, signal, data FROM chunk JOIN signal ON signal.id = chunk.signal WHERE name LIKE 'rod.position.%'"
).fetchall()
for part, signal, data in rows:
    numbers = list(struct.unpack(f"<{len(data) // 8}d", data))
    numbers[len(numbers) // 2 :] = [math.nan] * (len(numbers) - len(numbers) // 2)
    database.execute(
        "UPDATE chunk SET data = ? WHERE part = ? AND signal = ?", (struct.pack(f"<{len(numbers)}d", *numbers), part, signal)
    )
database.commit()
database.close()

change(
    "missing",
    ("DELETE FROM chunk WHERE signal IN (SELECT id FROM signal WHERE name LIKE 'rod.%' OR name LIKE 'energy.%')",),
    ("DELETE FROM signal WHERE name LIKE 'rod.%' OR name LIKE 'energy.%'",),
    ("DELETE FROM contact",),
    ("DELETE FROM summary",),
)

path = copy("truncated")
path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
