// Closest points of pairs and the contact frames there, apart or not, as recorded (contact.A/B.closest_a, _b, _normal):
// Fig. 6 of contact-kinematics-2003. A thin rod joins the two points; at each the normal points out of its body, and the two
// tangents span the tangent plane.
import { Group, Vector3 } from "three";
import type { Run } from "../data/run";
import { Arrows, Dots, Rods } from "./arrows";
import { closestColor, tangentColor } from "./theme";

const sides = ["a", "b"] as const;

/** Signals of a pair: a.x, a.y, a.z, b.x, ..., normal.z. */
type PairSignals = number[];

function findPairs(run: Run): PairSignals[] {
  const ending = ".closest_a.x";
  // Of more samples than a page holds it has the extremes, which belong to different instants.
  if (run.header.signals.thinned) return [];
  return run.signals
    .filter(({ name }) => name.endsWith(ending))
    .map(({ name }) => ["closest_a", "closest_b", "closest_normal"].flatMap((part) => ["x", "y", "z"].map((axis) => run.findSignal(`${name.slice(0, -ending.length)}.${part}.${axis}`))))
    .filter((signals) => signals.every((signal) => signal >= 0));
}

export class ClosestMarks {
  readonly group = new Group();
  private readonly pairs: PairSignals[];
  private readonly dots = new Dots(this.group);
  private readonly arrows = new Arrows(this.group);
  private readonly rods = new Rods(this.group);

  constructor(private readonly run: Run) {
    this.pairs = findPairs(run);
  }

  get isEmpty(): boolean {
    return this.pairs.length === 0;
  }

  update(time: number, shown: boolean): void {
    const all = [this.dots, this.arrows, this.rods];
    for (const marks of all) marks.begin();
    const { size } = this.run.header;
    for (const signals of shown ? this.pairs : []) {
      const numbers = signals.map((signal) => this.run.valueAt(signal, time));
      if (!numbers.every(Number.isFinite)) continue;
      const points = [new Vector3().fromArray(numbers), new Vector3().fromArray(numbers, 3)];
      const normal = new Vector3().fromArray(numbers, 6).normalize();
      if (normal.lengthSq() === 0) continue;
      const axis = Math.abs(normal.x) < 0.7 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
      const tangent = axis.addScaledVector(normal, -axis.dot(normal)).normalize();
      const other = normal.clone().cross(tangent);
      this.rods.add(points[0], points[1], 0.002 * size, closestColor);
      sides.forEach((_, k) => {
        this.dots.add(points[k], 0.009 * size, closestColor);
        this.arrows.add(points[k], normal.clone().multiplyScalar(k === 0 ? 1 : -1), 0.12 * size, 0.003 * size, closestColor);
        for (const along of [tangent, other]) this.arrows.add(points[k], along, 0.08 * size, 0.0022 * size, tangentColor);
      });
    }
    for (const marks of all) marks.end();
  }
}
