// The runs that the browser test opens: one line each.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A lattice of balls and boxes above a floor: they fall and land, each on its own. */
function makeThousand(folder) {
  const lines = [
    'title = "A thousand bodies"',
    "[world]\ngravity = [0, 0, -9.81]",
    "[time]\nduration = 0.4\nstep = 0.01",
    '[method]\ntype = "cone"',
    '[body.floor]\nfixed = true\nshape = { type = "halfspace", normal = [0, 0, 1] }',
    "[contact.default]\nfriction = 0.5\nrestitution = 0.0",
  ];
  for (let k = 0; k < 1000; k++) {
    const x = 0.25 * (k % 32);
    const y = 0.25 * Math.floor(k / 32);
    const z = 0.1 + 0.0004 * ((k * 379) % 1000);
    const shape = k % 2 === 0 ? `{ type = "sphere", radius = ${0.05 + 0.00003 * k} }` : `{ type = "box", size = [0.1, 0.12, 0.14] }`;
    lines.push(`[body.b${k}]\nmass = 1\nposition = [${x.toFixed(3)}, ${y.toFixed(3)}, ${z.toFixed(4)}]\nvelocity = [0.2, 0, 0]\nshape = ${shape}`);
  }
  const file = join(folder, "thousand.toml");
  writeFileSync(file, lines.join("\n"));
  return file;
}

/** A dumbbell of several cells, tipped over. */
function makeCellular(folder) {
  const parts = ["left = -0.2", "right = 0.2"].map((line) => line.split(" = "));
  const lines = [
    'title = "A body of many cells"',
    "[world]\ngravity = [0, 0, -9.81]",
    "[time]\nduration = 0.6\nstep = 0.002",
    '[method]\ntype = "cone"',
    '[body.floor]\nfixed = true\nshape = { type = "halfspace", normal = [0, 0, 1] }',
    "[contact.default]\nfriction = 0.5\nrestitution = 0.2",
    "[body.bell]\ndensity = 1000\nposition = [0, 0, 0.4]\nangular_velocity = [1, 2, 0]",
    '[body.bell.shape.bar]\ntype = "cylinder"\nradius = 0.03\nlength = 0.4\naxis = [1, 0, 0]',
    ...parts.map(([name, x]) => `[body.bell.shape.${name}]\ntype = "sphere"\nradius = 0.09\nposition = [${x}, 0, 0]`),
    '[body.bell.shape.fin]\ntype = "cone"\nradius = 0.05\nheight = 0.16\naxis = [0, 0, 1]\nposition = [0, 0, 0.02]',
  ];
  const file = join(folder, "cellular.toml");
  writeFileSync(file, lines.join("\n"));
  return file;
}

/** name; how to make the run: arguments of the program before --out; what to look at. */
export const scenes = [
  { name: "falling_rod", run: () => ["examples", "run", "falling_rod"], contacts: true, events: true },
  { name: "four_balls", run: () => ["examples", "run", "four_balls"], contacts: true, events: true },
  { name: "ball_in_cylinder", run: () => ["examples", "run", "ball_in_cylinder_3d", "--set", "time.duration=1"], contacts: true, events: true },
  { name: "arm_on_plate", run: () => ["examples", "run", "arm_on_plate"], contacts: true, events: true },
  { name: "slider_crank", run: () => ["examples", "run", "slider_crank"], contacts: false, events: false },
  { name: "cellular", run: (folder) => ["run", makeCellular(folder)], contacts: true, events: true },
  // A sample every 0.1 ms for 100 s.
  { name: "million", run: () => ["examples", "run", "spring_mass", "--set", "time.duration=100", "--set", "time.output=0.1 ms"], contacts: false, events: false },
  { name: "thousand", run: (folder) => ["run", makeThousand(folder)], contacts: true, events: true },
];
