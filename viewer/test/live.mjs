// A run that is watched while it goes on.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";

// Ended by a signal a process does not pass its exit handlers, unless it says so.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

/** Starts a scene with --live; its process, the address of its page, its exit code when it ends. */
export async function startLive({ folder, join, writeFileSync }, name, scene) {
  const program = resolve(process.argv[2]);
  rmSync(join(folder, name), { recursive: true, force: true });
  writeFileSync(join(folder, `${name}.toml`), scene);
  // Nothing outlives this test: it ends with it, also where that fails or is told to stop, and after 10 minutes of work at the latest.
  const words = ["run", `${name}.toml`, "--out", name, "--live", "--progress", "none"];
  const run = spawn("/bin/sh", ["-c", 'ulimit -t 600; exec "$0" "$@"', program, ...words], { cwd: folder, env: { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" } });
  process.on("exit", () => run.kill("SIGKILL"));
  const ended = new Promise((done) => run.on("exit", done));
  const address = await new Promise((done, fail) => {
    let text = "";
    run.stderr.on("data", (piece) => {
      text += piece;
      const found = text.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}\n/);
      if (found) done(found[0].trim());
    });
    run.on("exit", () => fail(new Error(`the run ended before it was live: ${text}`)));
  });
  return { run, ended, address };
}

/** A ball that leaves another one at 2 mm/s, without end. */
export const leaving = `title = "Leaving"
[world]
gravity = [0, 0, -9.81]
[time]
duration = 1000000
step = "1 ms"
output = "10 ms"
[method]
type = "smooth"
[body.rest]
fixed = true
shape = { type = "sphere", radius = 0.1 }
[body.ball]
mass = 1
shape = { type = "sphere", radius = 0.1 }
[joint.rail]
type = "prismatic"
child = "ball"
axis = [1, 0, 0]
position = 0.3
velocity = 0.002
`;

/** A ball that bounces without loss beside one that lies: impacts and contacts come as long as it runs, which is far longer than a test. */
export const bouncing = `title = "Bouncing"
[world]
gravity = [0, 0, -9.81]
[time]
duration = 5000
step = "20 us"
output = "10 ms"
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 1
position = [0, 0, 0.5]
shape = { type = "sphere", radius = 0.1 }
[body.stone]
mass = 1
position = [1, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
friction = 0.5
restitution = 1.0
`;
