// The bodies of a run as instanced meshes: one draw call a mesh, however many bodies share it.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Raycaster, Vector3 } from "three";
import type { Run, Instant } from "../data/run";
import type { Instance } from "../data/header";
import { readPose } from "./pose";
import { bodyColors, selectColorFor, type SceneColors } from "./theme";

export type Look = "solid" | "glass" | "hidden";

interface Slot {
  body: number;
  local: Matrix4;
}
interface Batch {
  slots: Slot[];
  solid: InstancedMesh;
  glass: InstancedMesh;
}

const nowhere = new Matrix4().makeScale(0, 0, 0);
const matrix = new Matrix4();
const ones = new Vector3(1, 1, 1);

/** Balls of one colour do not show how they turn: every other octant is a little darker. */
function shadeOctants(geometry: BufferGeometry): void {
  const vertices = geometry.getAttribute("position");
  const colors = new Float32Array(3 * vertices.count).fill(1);
  let ball = vertices.count > 0;
  for (let i = 0; i < vertices.count && ball; i++) ball = Math.abs(Math.hypot(vertices.getX(i), vertices.getY(i), vertices.getZ(i)) - 1) < 1e-3;
  for (let i = 0; ball && i < vertices.count; i++) {
    const dark = vertices.getX(i) * vertices.getY(i) * vertices.getZ(i) < 0;
    if (dark) colors.fill(0.72, 3 * i, 3 * i + 3);
  }
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
}

export class Bodies {
  readonly group = new Group();
  /** X_WB of every body now. */
  readonly poses: Matrix4[];
  private readonly batches: Batch[] = [];
  private readonly looks: Look[];
  private readonly shaped: Set<number>;
  private selected = -1;
  private fixedColor = new Color(0x999999);

  constructor(
    private readonly run: Run,
    /** Another run as a ghost: all of it in this colour, as glass. */
    private readonly ghost: Color | null = null,
  ) {
    this.poses = run.bodies.map(() => new Matrix4());
    this.looks = run.bodies.map(() => (ghost ? "glass" : "solid"));
    this.shaped = new Set(run.header.instances.filter((instance) => instance.kind !== "plane").map((instance) => instance.body));
    const byMesh = new Map<number, Instance[]>();
    for (const instance of run.header.instances) {
      if (instance.kind === "plane") continue;
      if (instance.kind === "hollow") this.looks[instance.body] = "glass";
      const others = byMesh.get(instance.mesh);
      if (others) others.push(instance);
      else byMesh.set(instance.mesh, [instance]);
    }
    for (const [mesh, instances] of byMesh) this.batches.push(this.makeBatch(mesh, instances));
    for (const { solid, glass } of this.batches) this.group.add(solid, glass);
  }

  get source(): Run {
    return this.run;
  }
  look(body: number): Look {
    return this.looks[body];
  }
  setLook(body: number, look: Look): void {
    this.looks[body] = look;
  }
  get allLooks(): Look[] {
    return [...this.looks];
  }
  /** Bodies that have a shape to show. */
  hasShape(body: number): boolean {
    return this.shaped.has(body);
  }

  colorOf(body: number): Color {
    if (this.ghost) return this.ghost;
    if (this.run.bodies[body].fixed) return this.fixedColor;
    return bodyColors[(body - 1 + bodyColors.length) % bodyColors.length];
  }
  setColors(colors: SceneColors): void {
    this.fixedColor = colors.fixed;
    this.paint();
  }
  select(body: number): void {
    this.selected = body;
    this.paint();
  }

  update(at: Instant): void {
    const position = new Vector3();
    const orientation = new Quaternion();
    this.run.bodies.forEach((body, k) => {
      readPose(body, at, position, orientation);
      this.poses[k].compose(position, orientation, ones);
    });
    for (const batch of this.batches) {
      let glass = false;
      batch.slots.forEach((slot, k) => {
        matrix.multiplyMatrices(this.poses[slot.body], slot.local);
        const look = this.looks[slot.body];
        glass ||= look === "glass";
        batch.solid.setMatrixAt(k, look === "solid" ? matrix : nowhere);
        batch.glass.setMatrixAt(k, look === "glass" ? matrix : nowhere);
      });
      batch.glass.visible = glass;
      batch.solid.instanceMatrix.needsUpdate = true;
      batch.glass.instanceMatrix.needsUpdate = true;
      // Bodies move: what is known of their bounds is of another time.
      batch.solid.boundingSphere = null;
      batch.glass.boundingSphere = null;
    }
  }

  /** The body under a ray and how far it is, or null. */
  pick(ray: Raycaster): { body: number; distance: number } | null {
    let best: { body: number; distance: number } | null = null;
    for (const batch of this.batches) {
      for (const hit of ray.intersectObjects([batch.solid, batch.glass].filter((mesh) => mesh.visible), false)) {
        const body = batch.slots[hit.instanceId ?? 0].body;
        if (!best || hit.distance < best.distance) best = { body, distance: hit.distance };
      }
    }
    return best;
  }

  private makeBatch(mesh: number, instances: Instance[]): Batch {
    const { vertices, normals, triangles } = this.run.readMesh(mesh);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(vertices, 3));
    geometry.setAttribute("normal", new BufferAttribute(normals, 3));
    geometry.setIndex(new BufferAttribute(triangles, 1));
    shadeOctants(geometry);
    const solid = new InstancedMesh(geometry, new MeshStandardMaterial({ roughness: 0.62, metalness: 0.04, vertexColors: true }), instances.length);
    solid.castShadow = solid.receiveShadow = true;
    const material = new MeshStandardMaterial({ transparent: true, opacity: this.ghost ? 0.3 : 0.22, depthWrite: false, roughness: 0.3, side: DoubleSide });
    const glass = new InstancedMesh(geometry, material, instances.length);
    glass.renderOrder = 2;
    const slots = instances.map((instance) => {
      const { p, q } = instance.X;
      const local = new Matrix4().compose(new Vector3(...p), new Quaternion(q[1], q[2], q[3], q[0]), new Vector3(...instance.scale));
      return { body: instance.body, local };
    });
    return { slots, solid, glass };
  }

  private paint(): void {
    for (const batch of this.batches) {
      batch.slots.forEach((slot, k) => {
        const own = this.colorOf(slot.body);
        const color = slot.body === this.selected ? selectColorFor(own) : own;
        batch.solid.setColorAt(k, color);
        batch.glass.setColorAt(k, color);
      });
      if (batch.solid.instanceColor) batch.solid.instanceColor.needsUpdate = true;
      if (batch.glass.instanceColor) batch.glass.instanceColor.needsUpdate = true;
    }
  }
}
