// Many arrows, dots or cones in one draw call, drawn in front of everything. Of one colour without light on them, they need few faces.
import { BufferGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry, IcosahedronGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Object3D, Quaternion, RingGeometry, Vector3, DoubleSide } from "three";

const along = new Vector3(0, 1, 0);
const turn = new Quaternion();
const matrix = new Matrix4();

/** Instances of one geometry whose number changes from picture to picture. */
class Marks {
  mesh: InstancedMesh;
  private used = 0;

  constructor(
    private readonly parent: Object3D,
    private readonly geometry: BufferGeometry,
    private readonly material: MeshBasicMaterial,
    private readonly order: number,
  ) {
    this.mesh = this.make(64);
  }
  begin(): void {
    this.used = 0;
  }
  add(place: Matrix4, color: Color): void {
    if (this.used === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.used, place);
    this.mesh.setColorAt(this.used, color);
    this.used++;
  }
  end(): void {
    this.mesh.count = this.used;
    this.mesh.visible = this.used > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, room);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.order;
    this.parent.add(mesh);
    return mesh;
  }
  private grow(): void {
    const old = this.mesh;
    this.mesh = this.make(2 * this.used);
    for (let k = 0; k < this.used; k++) {
      old.getMatrixAt(k, matrix);
      this.mesh.setMatrixAt(k, matrix);
      const color = new Color();
      old.getColorAt(k, color);
      this.mesh.setColorAt(k, color);
    }
    this.parent.remove(old);
    old.dispose();
  }
}

function inFront(order: number): { material: MeshBasicMaterial; order: number } {
  return { material: new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true }), order };
}

export class Dots {
  private readonly marks: Marks;
  constructor(parent: Object3D) {
    const { material, order } = inFront(12);
    this.marks = new Marks(parent, new IcosahedronGeometry(1, 1), material, order);
  }
  begin(): void {
    this.marks.begin();
  }
  add(at: Vector3, radius: number, color: Color): void {
    this.marks.add(matrix.makeScale(radius, radius, radius).setPosition(at), color);
  }
  end(): void {
    this.marks.end();
  }
}

/** Arrows with a head of constant size: a shaft and a head each. */
export class Arrows {
  private readonly shafts: Marks;
  private readonly heads: Marks;
  constructor(parent: Object3D) {
    const { material, order } = inFront(11);
    const shaft = new CylinderGeometry(1, 1, 1, 6, 1, true).translate(0, 0.5, 0);
    const head = new ConeGeometry(1, 1, 10).translate(0, 0.5, 0);
    this.shafts = new Marks(parent, shaft, material, order);
    this.heads = new Marks(parent, head, material, order);
  }
  begin(): void {
    this.shafts.begin();
    this.heads.begin();
  }
  /** `direction` unit, `width` of the shaft. */
  add(from: Vector3, direction: Vector3, length: number, width: number, color: Color): void {
    turn.setFromUnitVectors(along, direction);
    const head = Math.min(5 * width, 0.6 * length);
    const slim = Math.min(1, head / (5 * width));
    this.shafts.add(matrix.compose(from, turn, new Vector3(width * slim, length - head, width * slim)), color);
    const tip = from.clone().addScaledVector(direction, length - head);
    this.heads.add(matrix.compose(tip, turn, new Vector3(2.4 * width * slim, head, 2.4 * width * slim)), color);
  }
  end(): void {
    this.shafts.end();
    this.heads.end();
  }
}

/** Open cones with their tip at a point. */
export class Cones {
  private readonly marks: Marks;
  constructor(parent: Object3D) {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.22, depthWrite: false, side: DoubleSide });
    const cone = new ConeGeometry(1, 1, 32, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.marks = new Marks(parent, cone, material, 10);
  }
  begin(): void {
    this.marks.begin();
  }
  add(tip: Vector3, axis: Vector3, height: number, radius: number, color: Color): void {
    turn.setFromUnitVectors(along, axis);
    this.marks.add(matrix.compose(tip, turn, new Vector3(radius, height, radius)), color);
  }
  end(): void {
    this.marks.end();
  }
}

/** Flat ellipses about a point with a rim, seen through bodies: the patches of contacts with volume. */
export class Discs {
  private readonly inner: Marks;
  private readonly rims: Marks;
  constructor(parent: Object3D) {
    const material = (opacity: number) => new MeshBasicMaterial({ transparent: true, opacity, depthTest: false, depthWrite: false, side: DoubleSide });
    this.inner = new Marks(parent, new CircleGeometry(1, 48).rotateX(-Math.PI / 2), material(0.55), 9);
    this.rims = new Marks(parent, new RingGeometry(0.92, 1, 48).rotateX(-Math.PI / 2), material(0.9), 9);
  }
  begin(): void {
    this.inner.begin();
    this.rims.begin();
  }
  /** `extent`: half the longest axis; `radius`: of the disc of the same area. */
  add(center: Vector3, axis: Vector3, extent: Vector3, radius: number, inner: Color, rim: Color): void {
    const long = extent.length();
    if (long > 0) {
      const x = extent.clone().divideScalar(long);
      turn.setFromRotationMatrix(matrix.makeBasis(x, axis, x.clone().cross(axis)));
    } else {
      turn.setFromUnitVectors(along, axis);
    }
    const size = new Vector3(long || radius, 1, long > 0 ? (radius * radius) / long : radius);
    // Not the shared matrix, which Marks uses to grow.
    const place = new Matrix4().compose(center, turn, size);
    this.inner.add(place, inner);
    this.rims.add(place, rim);
  }
  end(): void {
    this.inner.end();
    this.rims.end();
  }
}

/** Translucent rods between points: bodies where they have no shape of their own. */
export class Rods {
  private readonly marks: Marks;
  constructor(parent: Object3D) {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.45, depthWrite: false });
    this.marks = new Marks(parent, new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), material, 3);
  }
  begin(): void {
    this.marks.begin();
  }
  add(from: Vector3, to: Vector3, radius: number, color: Color): void {
    const direction = to.clone().sub(from);
    const length = direction.length();
    if (!(length > 0)) return;
    turn.setFromUnitVectors(along, direction.divideScalar(length));
    this.marks.add(matrix.compose(from, turn, new Vector3(radius, length, radius)), color);
  }
  end(): void {
    this.marks.end();
  }
}
