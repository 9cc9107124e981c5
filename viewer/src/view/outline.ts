// What of a run must be in view: the outer points of everything that is drawn, where it comes to over the run.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Run } from "../data/run";
import { readPose } from "./pose";

/** Outer points are taken along these: faces, edges and corners of a cube. */
const directions: Vector3[] = [];
for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) if (x !== 0 || y !== 0 || z !== 0) directions.push(new Vector3(x, y, z).normalize());

const mostPoints = 12000;

function findOuterPoints(vertices: Float32Array): Vector3[] {
  const best = directions.map(() => ({ reach: -Infinity, at: 0 }));
  for (let i = 0; i < vertices.length; i += 3) {
    for (let k = 0; k < directions.length; k++) {
      const d = directions[k];
      const reach = d.x * vertices[i] + d.y * vertices[i + 1] + d.z * vertices[i + 2];
      if (reach > best[k].reach) best[k] = { reach, at: i };
    }
  }
  return [...new Set(best.map(({ at }) => at))].map((at) => new Vector3().fromArray(vertices, at));
}

/** Of every body the outer points of its shapes, in its frame; half-spaces have none. */
function listBodyPoints(run: Run): Map<number, Vector3[]> {
  const meshes = new Map<number, Vector3[]>();
  const bodies = new Map<number, Vector3[]>();
  for (const { kind, body, mesh, X, scale } of run.header.instances) {
    if (kind === "plane") continue;
    let outer = meshes.get(mesh);
    if (!outer) meshes.set(mesh, (outer = findOuterPoints(run.readMesh(mesh).vertices)));
    const place = new Matrix4().compose(new Vector3(...X.p), new Quaternion(X.q[1], X.q[2], X.q[3], X.q[0]), new Vector3(...scale));
    const list = bodies.get(body) ?? [];
    for (const point of outer) list.push(point.clone().applyMatrix4(place));
    bodies.set(body, list);
  }
  // Ends of springs and joints belong to what is seen; a body without shape is its origin.
  const add = (body: number, point: Vector3) => bodies.set(body, [...(bodies.get(body) ?? []), point]);
  for (const { a, b, atA, atB } of run.header.springs) {
    add(a, new Vector3(...atA));
    add(b, new Vector3(...atB));
  }
  for (const { parent, X } of run.header.joints) add(parent, new Vector3(...X.p));
  run.bodies.forEach((body, k) => !body.fixed && !bodies.has(k) && bodies.set(k, [new Vector3()]));
  return bodies;
}

/** Points in the world, at frames spread over the run; not of bodies that have flown farther than `reach` from `center`. */
export function listOutline(run: Run, center: Vector3, reach: number): Vector3[] {
  const points: Vector3[] = [];
  const bodies = listBodyPoints(run);
  const perFrame = [...bodies.values()].reduce((sum, list) => sum + list.length, 0);
  const frames = Math.max(2, Math.floor(mostPoints / Math.max(perFrame, 1)));
  const [position, orientation, one] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
  const pose = new Matrix4();
  for (const [k, list] of bodies) {
    const body = run.bodies[k];
    const count = body.track.constant ? 1 : body.track.numbers.length / 7;
    const steps = Math.min(frames, count);
    for (let step = 0; step < steps; step++) {
      const i = steps > 1 ? Math.round((step * (count - 1)) / (steps - 1)) : 0;
      readPose(body, { i, f: 0 }, position, orientation);
      if (!body.fixed && position.distanceTo(center) > reach) continue;
      pose.compose(position, orientation, one);
      for (const point of list) points.push(point.clone().applyMatrix4(pose));
    }
  }
  return points;
}
