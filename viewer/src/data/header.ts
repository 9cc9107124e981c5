// The JSON part of a run, as stiction/report/encode_page.cpp writes it.
import type { Column } from "./columns";

export type Vector = [number, number, number];
export type Rotation = [number, number, number, number]; // w, x, y, z
export interface Pose {
  p: Vector;
  q: Rotation;
}
/** From good to bad. */
export const levels = ["trustworthy", "look_closer", "do_not_trust"] as const;
export type Level = (typeof levels)[number];

export interface BodyHeader {
  name: string;
  fixed: boolean;
  radius: number;
  track: Pose | { p: Column[]; q: Column[] };
}
export interface Instance {
  kind: "solid" | "hollow" | "plane";
  body: number;
  part: string;
  mesh: number;
  X: Pose;
  scale: Vector;
}
export interface Joint {
  name: string;
  kind: string;
  parent: number;
  child: number;
  X: Pose;
}
export interface Spring {
  name: string;
  a: number;
  b: number;
  atA: Vector;
  atB: Vector;
}
export interface Pair {
  a: string;
  b: string;
  bodyA: number;
  bodyB: number;
  mu: number | null;
}
export interface ContactColumns {
  pairs: Pair[];
  recorded: number;
  peakImpulse: number;
  starts: Column;
  pair: Column;
  point: Column;
  mode: Column;
  position: Column[];
  normal: Column[];
  impulse: Column[];
  slip: Column[];
  gap: Column;
  moment: Column[];
  volume: Column;
  area: Column;
  extent: Column[];
  /** Where not all contacts are drawn: what all of them come to, by the names of series.ts. */
  sums?: SignalColumns;
}
export interface SignalColumns {
  times: Column;
  thinned: boolean;
  names: string[];
  units: string[];
  data: (Column | number | null)[];
}
export interface Check {
  name: string;
  level: Level;
  /** The worst value with its unit, for people; "" where there is none. */
  value: string;
  text: string;
  remedy: string;
  time: number;
  /** The contact, joint or signal; "" if it is not known. */
  place: string;
}
export interface RunHeader {
  format: number;
  name: string;
  title: string;
  paper: string;
  version: string;
  status: string;
  summary: { message: string; time: number; steps: number; hash: string; wall: number };
  samples: number;
  scene: { files: { name: string; text: string }[]; overrides: string[] };
  parameters: Record<string, string>;
  notes: string[];
  up: Vector;
  planarAxis: number;
  step: number;
  size: number;
  center: Vector;
  times: Column;
  bodies: BodyHeader[];
  meshes: { v: Column[]; n: Column[]; t: Column }[];
  instances: Instance[];
  joints: Joint[];
  springs: Spring[];
  contacts?: ContactColumns;
  events: { count: number; words: string[]; t: Column; kind: Column; name: Column };
  verdict: { level: Level; expected: string; because: string; reasons: Check[] };
  checks: Check[];
  signals: SignalColumns;
}
