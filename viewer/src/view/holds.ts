// Where bodies are held outside their own shapes: rods show there what no shape does.
import { Box3, Matrix4, Quaternion, Vector3 } from "three";
import type { Run } from "../data/run";
import { readPose } from "./pose";

/** A point that a rod goes to from the origin of a body; it may belong to the body at the other end of a joint. */
export interface Hold {
  body: number;
  at: Vector3;
}

/** Joints whose place on the child moves. */
const sliding = new Set(["prismatic", "cylindrical", "screw"]);

interface Part {
  toMesh: Matrix4;
  center: Vector3;
  box: Box3;
}

/** A point among the shapes: nothing of it is seen. */
const isPoint = (scale: number[]) => scale.every((factor) => factor === 0);

/** The boxes around the shapes of every body, each in the axes of its shape. */
function listParts(run: Run): Map<number, Part[]> {
  const boxes = new Map<number, Box3>();
  const parts = new Map<number, Part[]>();
  for (const { kind, body, mesh, X, scale } of run.header.instances) {
    if (kind === "plane" || isPoint(scale)) continue;
    let box = boxes.get(mesh);
    if (!box) boxes.set(mesh, (box = new Box3().setFromArray(run.readMesh(mesh).vertices)));
    const place = new Matrix4().compose(new Vector3(...X.p), new Quaternion(X.q[1], X.q[2], X.q[3], X.q[0]), new Vector3(...scale));
    const part = { toMesh: place.clone().invert(), center: box.getCenter(new Vector3()).applyMatrix4(place), box };
    parts.set(body, [...(parts.get(body) ?? []), part]);
  }
  return parts;
}

/** Of every body that needs rods their ends. `slack`: so near to a shape [m] counts as in it. */
export function findHolds(run: Run, slack: number): Map<number, Hold[]> {
  const parts = listParts(run);
  const isInside = (part: Part, point: Vector3) => {
    const inner = part.box.clampPoint(point.clone().applyMatrix4(part.toMesh), new Vector3());
    return inner.applyMatrix4(part.toMesh.clone().invert()).distanceTo(point) <= slack;
  };
  const isReached = (body: number, point: Vector3) => parts.get(body)!.some((part) => isInside(part, point));

  const holds = new Map<number, Hold[]>();
  const held = new Set<number>();
  const put = (body: number, hold: Hold) => holds.set(body, [...(holds.get(body) ?? []), hold]);
  // `own`: the point in the axes of the body itself; null: it does not stay there.
  const add = (body: number, hold: Hold, own: Vector3 | null) => {
    if (body === 0) return;
    if (!parts.has(body)) put(body, hold);
    else if (!run.bodies[body].fixed && own) {
      held.add(body);
      if (!isReached(body, own)) put(body, hold);
    }
  };

  const poses = run.bodies.map((body) => {
    const [position, orientation] = [new Vector3(), new Quaternion()];
    readPose(body, { i: 0, f: 0 }, position, orientation);
    return new Matrix4().compose(position, orientation, new Vector3(1, 1, 1));
  });
  for (const { kind, parent, child, X } of run.header.joints) {
    const hold = { body: parent, at: new Vector3(...X.p) };
    const onChild = hold.at.clone().applyMatrix4(poses[parent]).applyMatrix4(poses[child].clone().invert());
    add(child, hold, sliding.has(kind) ? null : onChild);
    add(parent, hold, hold.at);
  }
  for (const { a, b, atA, atB } of run.header.springs) {
    for (const [body, at] of [[a, new Vector3(...atA)], [b, new Vector3(...atB)]] as const) add(body, { body, at }, at);
  }
  for (const { body, X, scale } of run.header.instances) {
    const at = new Vector3(...X.p);
    if (isPoint(scale) && body > 0 && !(parts.has(body) && isReached(body, at))) put(body, { body, at });
  }
  // A shape away from the origin hangs on a rod too; of a free body nobody knows how its shapes hold together.
  const origin = new Vector3();
  for (const body of held) {
    if (!isReached(body, origin)) for (const { center } of parts.get(body)!) put(body, { body, at: center });
  }
  run.bodies.forEach((body, k) => k > 0 && !body.fixed && !parts.has(k) && !holds.has(k) && put(k, { body: k, at: origin }));
  return holds;
}
