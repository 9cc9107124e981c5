// Where a body is between two frames.
import { Quaternion, Vector3 } from "three";
import type { Body, Instant } from "../data/run";

const q1 = new Quaternion();

export function readPose(body: Body, at: Instant, position: Vector3, orientation: Quaternion): void {
  const n = body.track.numbers;
  const a = body.track.constant ? 0 : 7 * at.i;
  position.set(n[a], n[a + 1], n[a + 2]);
  orientation.set(n[a + 4], n[a + 5], n[a + 6], n[a + 3]);
  if (body.track.constant || at.f === 0) return;
  const b = a + 7;
  position.x += at.f * (n[b] - n[a]);
  position.y += at.f * (n[b + 1] - n[a + 1]);
  position.z += at.f * (n[b + 2] - n[a + 2]);
  orientation.slerp(q1.set(n[b + 4], n[b + 5], n[b + 6], n[b + 3]), at.f);
}
