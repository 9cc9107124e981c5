// Frames, trails, velocity arrows, joints and springs.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Quaternion, Vector3 } from "three";
import type { Instant, Run } from "../data/run";
import type { Bodies } from "./bodies";
import { Arrows, Dots, Rods } from "./arrows";
import { findHolds, type Hold } from "./holds";
import { jointColor, velocityColor } from "./theme";

export interface MotionLayers {
  frames: boolean;
  trails: boolean;
  velocities: boolean;
  joints: boolean;
  /** Rods to where bodies are held outside their shapes. */
  shapeless: boolean;
}

const axisColors = [new Color(0xd6455b), new Color(0x3a9d5d), new Color(0x3b7dd8)];
const mostTrails = 200;
/** In units of the size of the scene. */
const rodRadius = 0.012;
const coilPoints = 33;

/** Line segments whose ends change from picture to picture. */
class DynamicLines {
  readonly object: LineSegments;
  private readonly positions: BufferAttribute;
  private readonly colors: BufferAttribute;
  private used = 0;
  constructor(room: number, inFront: boolean) {
    const geometry = new BufferGeometry();
    this.positions = new BufferAttribute(new Float32Array(6 * room), 3).setUsage(DynamicDrawUsage) as BufferAttribute;
    this.colors = new BufferAttribute(new Float32Array(6 * room), 3);
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("color", this.colors);
    this.object = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: !inFront, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = inFront ? 9 : 1;
  }
  begin(): void {
    this.used = 0;
  }
  add(from: Vector3, to: Vector3, color: Color): void {
    if (this.used + 2 > this.positions.count) return;
    for (const point of [from, to]) {
      this.positions.setXYZ(this.used, point.x, point.y, point.z);
      this.colors.setXYZ(this.used, color.r, color.g, color.b);
      this.used++;
    }
  }
  end(): void {
    this.object.geometry.setDrawRange(0, this.used);
    this.positions.needsUpdate = this.colors.needsUpdate = true;
  }
}

export class MotionMarks {
  readonly group = new Group();
  private readonly axes: DynamicLines;
  private readonly coils: DynamicLines;
  private readonly velocities = new Arrows(this.group);
  private readonly hinges = new Arrows(this.group);
  private readonly pins = new Dots(this.group);
  private trails: { body: number; line: Line }[] | null = null;
  private readonly velocitySignals: number[][];
  private readonly moving: number[];
  private topSpeed = 0;
  private readonly rods = new Rods(this.group);
  private readonly knots = new Dots(this.group);
  private readonly holds: Map<number, Hold[]>;
  lineColor = new Color(0x333333);

  constructor(
    private readonly run: Run,
    private readonly bodies: Bodies,
  ) {
    this.moving = run.bodies.map((_, k) => k).filter((k) => !run.bodies[k].fixed);
    this.axes = new DynamicLines(3 * run.bodies.length, true);
    this.coils = new DynamicLines(coilPoints * run.header.springs.length, false);
    this.group.add(this.axes.object, this.coils.object);
    // Rods are as thick: nearer than that no gap is seen.
    this.holds = findHolds(run, rodRadius * run.header.size);
    this.velocitySignals = run.bodies.map((body) => ["x", "y", "z"].map((axis) => run.findSignal(`${body.name}.velocity.${axis}`)));
  }

  private get size(): number {
    return this.run.header.size;
  }
  get hasShapeless(): boolean {
    return this.holds.size > 0;
  }
  get hasVelocities(): boolean {
    return this.moving.some((k) => this.velocitySignals[k].every((signal) => signal >= 0));
  }

  update(at: Instant, time: number, layers: MotionLayers): void {
    this.updateAxes(layers.frames);
    this.updateTrails(at, layers.trails);
    this.updateVelocities(time, layers.velocities);
    this.updateJoints(layers.joints);
    this.updateSprings();
    this.updateShapeless(layers.shapeless);
  }

  private updateShapeless(shown: boolean): void {
    this.rods.begin();
    this.knots.begin();
    const origin = new Vector3();
    const end = new Vector3();
    for (const [body, holds] of shown ? this.holds : []) {
      origin.setFromMatrixPosition(this.bodies.poses[body]);
      this.knots.add(origin, 0.011 * this.size, this.bodies.colorOf(body));
      for (const hold of holds) {
        end.copy(hold.at).applyMatrix4(this.bodies.poses[hold.body]);
        this.rods.add(origin, end, rodRadius * this.size, this.bodies.colorOf(body));
      }
    }
    this.rods.end();
    this.knots.end();
  }

  private updateAxes(shown: boolean): void {
    this.axes.begin();
    const origin = new Vector3();
    const end = new Vector3();
    this.bodies.poses.forEach((pose, k) => {
      if (!shown) return;
      origin.setFromMatrixPosition(pose);
      const radius = this.run.bodies[k].radius;
      const length = radius > 0 ? 1.35 * Math.min(radius, this.size) : 0.15 * this.size;
      for (let axis = 0; axis < 3; axis++) {
        end.setFromMatrixColumn(pose, axis).multiplyScalar(length).add(origin);
        this.axes.add(origin, end, axisColors[axis]);
      }
    });
    this.axes.end();
  }

  private makeTrails(): { body: number; line: Line }[] {
    const moving = this.moving.filter((k) => !this.run.bodies[k].track.constant);
    return moving.slice(0, mostTrails).map((body) => {
      const numbers = this.run.bodies[body].track.numbers;
      const points = new Float32Array((3 * numbers.length) / 7);
      for (let i = 0; i < points.length / 3; i++) points.set(numbers.subarray(7 * i, 7 * i + 3), 3 * i);
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(points, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: this.bodies.colorOf(body), transparent: true, opacity: 0.85 }));
      line.frustumCulled = false;
      this.group.add(line);
      return { body, line };
    });
  }

  /** The run has grown. */
  forget(): void {
    for (const { line } of this.trails ?? []) {
      this.group.remove(line);
      line.geometry.dispose();
    }
    this.trails = null;
    this.topSpeed = 0;
  }

  private updateTrails(at: Instant, shown: boolean): void {
    if (shown && !this.trails) this.trails = this.makeTrails();
    for (const { line } of this.trails ?? []) {
      line.visible = shown;
      line.geometry.setDrawRange(0, at.i + 1);
    }
  }

  private updateVelocities(time: number, shown: boolean): void {
    this.velocities.begin();
    if (shown) {
      if (this.topSpeed === 0) this.topSpeed = this.findTopSpeed();
      const from = new Vector3();
      const v = new Vector3();
      for (const k of this.moving) {
        const signals = this.velocitySignals[k];
        if (signals.some((signal) => signal < 0)) continue;
        v.set(this.run.valueAt(signals[0], time), this.run.valueAt(signals[1], time), this.run.valueAt(signals[2], time));
        const speed = v.length();
        const length = (0.5 * this.size * speed) / this.topSpeed;
        if (!(length > 0.006 * this.size)) continue;
        this.velocities.add(from.setFromMatrixPosition(this.bodies.poses[k]), v.divideScalar(speed), length, 0.005 * this.size, velocityColor);
      }
    }
    this.velocities.end();
  }

  private findTopSpeed(): number {
    let top = 0;
    for (const k of this.moving) {
      const signals = this.velocitySignals[k];
      if (signals.some((signal) => signal < 0)) continue;
      const [x, y, z] = signals.map((signal) => this.run.values(signal));
      for (let i = 0; i < x.length; i++) {
        const speed = Math.hypot(x[i], y[i], z[i]);
        if (Number.isFinite(speed) && speed > top) top = speed;
      }
    }
    return top > 0 ? top : 1;
  }

  private updateJoints(shown: boolean): void {
    this.hinges.begin();
    this.pins.begin();
    const place = new Matrix4();
    const at = new Vector3();
    const axis = new Vector3();
    for (const joint of shown ? this.run.header.joints : []) {
      const { p, q } = joint.X;
      place.compose(new Vector3(...p), new Quaternion(q[1], q[2], q[3], q[0]), new Vector3(1, 1, 1)).premultiply(this.bodies.poses[joint.parent]);
      at.setFromMatrixPosition(place);
      this.pins.add(at, 0.014 * this.size, jointColor);
      if (joint.kind === "spherical") continue;
      axis.setFromMatrixColumn(place, 2).normalize();
      this.hinges.add(at, axis, 0.16 * this.size, 0.004 * this.size, jointColor);
    }
    this.hinges.end();
    this.pins.end();
  }

  // Springs as coils between their ends.
  private updateSprings(): void {
    this.coils.begin();
    const a = new Vector3();
    const b = new Vector3();
    for (const spring of this.run.header.springs) {
      a.set(...spring.atA).applyMatrix4(this.bodies.poses[spring.a]);
      b.set(...spring.atB).applyMatrix4(this.bodies.poses[spring.b]);
      const direction = b.clone().sub(a);
      const side = new Vector3(direction.y, -direction.x, 0);
      if (side.lengthSq() < 1e-12) side.set(0, direction.z, -direction.y);
      side.normalize().multiplyScalar(0.025 * this.size);
      const other = direction.clone().normalize().cross(side);
      let last = a.clone();
      for (let k = 1; k <= coilPoints - 1; k++) {
        const point = a.clone().addScaledVector(direction, k / (coilPoints - 1));
        const inside = k > 3 && k < coilPoints - 4;
        if (inside) point.addScaledVector(side, Math.cos((k * Math.PI) / 2)).addScaledVector(other, Math.sin((k * Math.PI) / 2));
        this.coils.add(last, point, this.lineColor);
        last = point;
      }
    }
    this.coils.end();
  }
}
