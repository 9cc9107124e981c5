import sqlite3, sys
import numpy as np

def read_signal(folder, name):
    rows = sqlite3.connect(folder + "/run.sqlite").execute(
        "SELECT data FROM part, signal JOIN chunk ON chunk.part = part.id AND chunk.signal = signal.id "
        "WHERE signal.name = ? ORDER BY part.id", (name,))
    return np.frombuffer(b"".join(data for (data,) in rows), dtype="<f8")

for name in sys.argv[2:]: print(name, *read_signal(sys.argv[1], name).tolist())
