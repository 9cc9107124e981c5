// Contact points, normals, forces and friction cones of one frame, as recorded; of patches with volume an ellipse of their area
// and extent, coloured by their mean pressure, and the moments of rolling and spin.
import { Group, Vector3 } from "three";
import type { Run } from "../data/run";
import { Arrows, Cones, Discs, Dots } from "./arrows";
import { forceColor, lowColor, momentColor, openColor, slipColor, stickColor } from "./theme";

export interface ContactLayers {
  points: boolean;
  normals: boolean;
  forces: boolean;
  cones: boolean;
}

/** So many contacts in one frame, and marks become smaller. */
const crowded = 500;

const modeColors = [openColor, stickColor, slipColor];

export class ContactMarks {
  readonly group = new Group();
  /** Rows that are drawn now. */
  rows: [number, number] = [0, 0];
  /** Length grows with this power of the force: less than 1 where forces of very different size come in one run. */
  power = 1;
  private readonly dots = new Dots(this.group);
  private readonly normals = new Arrows(this.group);
  private readonly forces = new Arrows(this.group);
  private readonly moments = new Arrows(this.group);
  private readonly cones = new Cones(this.group);
  private readonly patches = new Discs(this.group);

  /** Marks are small beside the scene, and beside the bodies. */
  private mark = 0;
  /** Largest normal impulse of a patch by its area; 0: contacts are points [N s/m^2]. */
  peakPressure = 0;

  constructor(private readonly run: Run) {
    this.measure();
  }

  private get size(): number {
    return this.run.header.size;
  }
  /** Sizes of marks after what the run has recorded by now. */
  measure(): void {
    const { run, size } = this;
    // Where a pile has thousands of contacts, large marks would bury it.
    const crowd = Math.min(1, Math.sqrt(crowded / Math.max(this.findMostRows(), 1)));
    const radii = run.bodies.map((body) => body.radius).filter((radius) => radius > 0).sort((a, b) => a - b);
    this.mark = Math.max(0.4, crowd) * Math.min(size, 14 * (radii[radii.length >> 1] ?? size));
    this.peakPressure = this.findPeakPressure();
    const spread = this.calcSpread();
    this.power = spread > 200 ? 1 / 3 : spread > 25 ? 1 / 2 : 1;
  }

  private findPeakPressure(): number {
    const contacts = this.run.contacts;
    let peak = 0;
    for (let row = 0; contacts && row < contacts.pair.length; row++) {
      if (!(contacts.area[row] > 0)) continue;
      const normal = [0, 1, 2].reduce((sum, k) => sum + contacts.impulse[k][row] * contacts.normal[k][row], 0);
      peak = Math.max(peak, Math.abs(normal) / contacts.area[row]);
    }
    return peak;
  }

  /** Length of the arrow of an impulse: the run's largest has 0.6 of the size of the scene. */
  lengthOf(impulse: number): number {
    const peak = this.run.contacts?.peakImpulse ?? 0;
    if (!(peak > 0) || !(impulse > 0)) return 0;
    return 0.6 * Math.min(this.size, 3 * this.mark) * Math.min(1, impulse / peak) ** this.power;
  }

  /** Marks show what acts on the body that moves, of two that move on the second: records have the impulse on the second. */
  private sideOf(pair: number): 1 | -1 {
    const { bodyA, bodyB } = this.run.contacts!.pairs[pair];
    const isFixed = (body: number) => this.run.bodies[body]?.fixed ?? true;
    return isFixed(bodyB) && !isFixed(bodyA) ? -1 : 1;
  }

  update(frame: number, layers: ContactLayers, selectedPair: number): void {
    const contacts = this.run.contacts;
    const all = [this.dots, this.normals, this.forces, this.moments, this.cones, this.patches];
    for (const marks of all) marks.begin();
    this.rows = contacts ? contacts.rows(frame) : [0, 0];
    const at = new Vector3();
    const normal = new Vector3();
    const force = new Vector3();
    for (let row = this.rows[0]; contacts && row < this.rows[1]; row++) {
      at.set(contacts.position[0][row], contacts.position[1][row], contacts.position[2][row]);
      normal.set(contacts.normal[0][row], contacts.normal[1][row], contacts.normal[2][row]);
      force.set(contacts.impulse[0][row], contacts.impulse[1][row], contacts.impulse[2][row]);
      if (![at.x, at.y, at.z, normal.x, normal.y, normal.z].every(Number.isFinite)) continue;
      const pair = contacts.pair[row];
      const side = this.sideOf(pair);
      normal.multiplyScalar(side);
      force.multiplyScalar(side);
      const bears = force.lengthSq() > 0;
      const color = bears ? (modeColors[contacts.mode[row]] ?? openColor) : openColor;
      const bold = pair === selectedPair ? 1.7 : 1;
      if (layers.points) this.dots.add(at, 0.011 * this.mark * bold, color);
      if (layers.normals) this.normals.add(at, normal, 0.16 * this.mark, 0.0028 * this.mark, openColor);
      const mu = contacts.pairs[pair].mu;
      if (layers.cones && mu !== null && mu > 0) {
        const height = 0.2 * this.mark * Math.min(1, 1.5 / Math.max(mu, 1));
        this.cones.add(at, normal, height, mu * height, color);
      }
      const radius = Math.sqrt(contacts.area[row] / Math.PI);
      const extent = new Vector3(contacts.extent[0][row], contacts.extent[1][row], contacts.extent[2][row]);
      if (layers.points && radius > 0) {
        const pressure = Math.abs(force.dot(normal)) / contacts.area[row] / (this.peakPressure || 1);
        this.patches.add(at, normal, extent, radius, lowColor.clone().lerp(forceColor, Math.sqrt(Math.min(1, pressure))), color);
      }
      // A moment is drawn as the force that has it on the rim of the patch.
      // Like the impulse it acts on b; on a it is the opposite.
      const moment = new Vector3(contacts.moment[0][row], contacts.moment[1][row], contacts.moment[2][row]).multiplyScalar(side);
      const turning = radius > 0 ? this.lengthOf(moment.length() / radius) : 0;
      if (layers.forces && turning > 0.004 * this.mark) this.moments.add(at, moment.normalize(), turning, 0.0062 * this.mark * bold, momentColor);
      const length = this.lengthOf(force.length());
      if (layers.forces && length > 0.004 * this.mark) this.forces.add(at, force.normalize(), length, 0.0062 * this.mark * bold, forceColor);
    }
    for (const marks of all) marks.end();
  }

  /** Ends of the arrows of some contacts, spread over the run; not of the longest ones, which come for an instant only. */
  listTips(): Vector3[] {
    const contacts = this.run.contacts;
    const tips: { length: number; at: Vector3 }[] = [];
    const stride = Math.max(1, Math.floor((contacts?.pair.length ?? 0) / 400));
    for (let row = 0; contacts && row < contacts.pair.length; row += stride) {
      const [at, force] = [contacts.position, contacts.impulse].map((columns) => new Vector3(columns[0][row], columns[1][row], columns[2][row]));
      const length = this.lengthOf(force.length());
      force.multiplyScalar(this.sideOf(contacts.pair[row]));
      if (length > 0 && Number.isFinite(at.lengthSq() + force.lengthSq())) tips.push({ length, at: at.addScaledVector(force.normalize(), length) });
    }
    tips.sort((a, b) => a.length - b.length);
    const most = tips.length > 0 ? 1.01 * tips[Math.floor(0.8 * (tips.length - 1))].length : 0;
    return tips.filter((tip) => tip.length <= most).map((tip) => tip.at);
  }

  // Contacts of the frame that has most.
  private findMostRows(): number {
    const contacts = this.run.contacts;
    let most = 0;
    for (let frame = 0; contacts && frame + 1 < contacts.starts.length; frame++) most = Math.max(most, contacts.starts[frame + 1] - contacts.starts[frame]);
    return most;
  }

  // The largest impulse in units of the middle one.
  private calcSpread(): number {
    const contacts = this.run.contacts;
    if (!contacts) return 1;
    const sizes: number[] = [];
    const stride = Math.max(1, Math.floor(contacts.pair.length / 20000));
    for (let row = 0; row < contacts.pair.length; row += stride) {
      const size = contacts.impulseSize(row);
      if (size > 0 && Number.isFinite(size)) sizes.push(size);
    }
    sizes.sort((a, b) => a - b);
    return sizes.length > 0 ? contacts.peakImpulse / sizes[sizes.length >> 1] : 1;
  }
}
