// Half-spaces as planes with a fading grid, and the grid under scenes that have none.
import { Color, DoubleSide, FrontSide, Group, type Material, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector3, Quaternion, Matrix4 } from "three";
import type { Run } from "../data/run";
import type { Instance } from "../data/header";
import type { SceneColors } from "./theme";

const vertexShader = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const fragmentShader = `
uniform vec3 ground, line;
uniform float cell, reach, filled;
varying vec2 place;
float grid(float size, float width) {
  vec2 at = place / size;
  vec2 steps = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / steps;
  vec2 visible = clamp(0.7 - steps, 0.0, 0.7) / 0.7;
  vec2 lines = (1.0 - clamp(near / width, 0.0, 1.0)) * visible;
  return max(lines.x, lines.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place) / reach);
  if (fade <= 0.0) discard;
  float lines = max(grid(cell, 1.0) * 0.45, grid(cell * 5.0, 1.4));
  gl_FragColor = vec4(mix(ground, line, lines), fade * max(filled, lines));
  #include <colorspace_fragment>
}`;

/** A round length that divides what is seen in about twenty. */
function chooseCell(size: number): number {
  const raw = size / 8;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((c) => c >= raw) ?? raw;
}

export class Ground {
  readonly group = new Group();
  private readonly materials: { material: ShaderMaterial; shade: number }[] = [];
  private readonly planes: { group: Group; place: Matrix4; cell: number }[] = [];

  constructor(run: Run, center: Vector3, size: number, up: Vector3) {
    const planes = run.header.instances.filter((instance) => instance.kind === "plane" && run.bodies[instance.body].track.constant);
    for (const plane of planes) this.group.add(this.makePlane(this.placeOf(run, plane), size, true, up));
    if (planes.length === 0) {
      const floor = new Matrix4().compose(center.clone().addScaledVector(up, -size), new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up), new Vector3(1, 1, 1));
      this.group.add(this.makePlane(floor, size, false, up));
    }
    this.recenter(center);
  }

  dispose(): void {
    for (const { group } of this.planes) {
      for (const mesh of group.children as Mesh[]) {
        mesh.geometry.dispose();
        (mesh.material as Material).dispose();
      }
    }
  }

  setColors(colors: SceneColors): void {
    for (const { material, shade } of this.materials) {
      material.uniforms.ground.value.copy(colors.ground).multiplyScalar(shade);
      material.uniforms.line.value.copy(colors.line);
    }
  }

  private placeOf(run: Run, plane: Instance): Matrix4 {
    const n = run.bodies[plane.body].track.numbers;
    const body = new Matrix4().compose(new Vector3(n[0], n[1], n[2]), new Quaternion(n[4], n[5], n[6], n[3]), new Vector3(1, 1, 1));
    const { p, q } = plane.X;
    return body.multiply(new Matrix4().compose(new Vector3(...p), new Quaternion(q[1], q[2], q[3], q[0]), new Vector3(1, 1, 1)));
  }

  /** How many planes are seen, looking from far away in this direction; from inside the solid they are not. */
  countSeen(direction: Vector3): number {
    return this.planes.filter(({ place }) => new Vector3().setFromMatrixColumn(place, 2).dot(direction) > 0).length;
  }

  // Centred where what is seen stands over it, so that the grid keeps its lines at round places.
  recenter(center: Vector3): void {
    for (const { group, place, cell } of this.planes) {
      const local = center.clone().applyMatrix4(place.clone().invert());
      const snap = (x: number) => Math.round(x / (5 * cell)) * 5 * cell;
      place.clone().multiply(new Matrix4().makeTranslation(snap(local.x), snap(local.y), 0)).decompose(group.position, group.quaternion, group.scale);
    }
  }

  private makePlane(place: Matrix4, size: number, filled: boolean, up: Vector3): Group {
    const cell = chooseCell(size);
    const reach = 7 * size;
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      // A wall hides the floor behind it.
      depthWrite: filled,
      // From inside the solid, as through the walls of a bin, a plane is not seen; a mere grid is from both sides.
      side: filled ? FrontSide : DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 2,
      uniforms: {
        ground: { value: new Color() },
        line: { value: new Color() },
        cell: { value: cell },
        reach: { value: reach },
        filled: { value: filled ? 0.85 : 0 },
      },
    });
    // Walls are darker than floors.
    const upright = Math.abs(new Vector3().setFromMatrixColumn(place, 2).dot(up));
    this.materials.push({ material, shade: 0.8 + 0.2 * upright });
    const geometry = new PlaneGeometry(2 * reach, 2 * reach);
    const grid = new Mesh(geometry, material);
    grid.renderOrder = -2;
    const shadow = new Mesh(geometry, new ShadowMaterial({ opacity: 0.22, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    const group = new Group();
    group.add(grid, shadow);
    this.planes.push({ group, place, cell });
    return group;
  }
}
