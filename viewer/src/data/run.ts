// A recorded run: what the page shows, and nothing that is computed anew.
import { type Column, readFloats, readIntegers } from "./columns";
import type { Pose, RunHeader } from "./header";
import { Contacts } from "./contacts";

export interface Track {
  /** x, y, z, w, x, y, z of every frame, or of the only one. */
  numbers: Float32Array | Float64Array;
  constant: boolean;
}
export interface Body {
  name: string;
  fixed: boolean;
  radius: number;
  track: Track;
}
export interface RunEvent {
  t: number;
  kind: string;
  name: string;
}
export interface Signal {
  name: string;
  unit: string;
}

/** Between which frames a time lies: frame i and the fraction of the way to i + 1. */
export interface Instant {
  i: number;
  f: number;
}

export function findInstant(times: ArrayLike<number>, t: number): Instant {
  let low = 0;
  let high = times.length - 1;
  if (high < 1 || !(t > times[0])) return { i: 0, f: 0 };
  if (t >= times[high]) return { i: high, f: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return { i: low, f: (t - times[low]) / (times[high] - times[low]) };
}

/** The two parts of an encoded run. */
export function splitRun(bytes: Uint8Array): [RunHeader, Uint8Array] {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as RunHeader, bytes.subarray(4 + length)];
}

export class Run {
  /** Is it still going on? */
  readonly growing: boolean = false;
  times: Float64Array;
  readonly bodies: Body[];
  readonly events: RunEvent[];
  readonly signals: Signal[];
  signalTimes: Float64Array;
  contacts: Contacts | null;
  protected readonly cache = new Map<number, Float64Array>();
  private readonly ids = new Map<string, number>();

  constructor(
    readonly header: RunHeader,
    private readonly bytes: Uint8Array,
  ) {
    this.times = readFloats(bytes, header.times);
    this.bodies = header.bodies.map((body) => ({ ...body, track: this.readTrack(body.track) }));
    this.signalTimes = readFloats(bytes, header.signals.times);
    this.signals = header.signals.names.map((name, k) => ({ name, unit: header.signals.units[k] }));
    this.signals.forEach((signal, k) => this.ids.set(signal.name, k));
    this.contacts = header.contacts ? Contacts.read(header.contacts, bytes) : null;
    const { words } = header.events;
    const kinds = readIntegers(bytes, header.events.kind);
    const names = readIntegers(bytes, header.events.name);
    this.events = Array.from(readFloats(bytes, header.events.t), (t, i) => ({
      t,
      kind: words[kinds[i]],
      name: words[names[i]],
    }));
  }

  get start(): number {
    return this.times.length > 0 ? this.times[0] : 0;
  }
  get end(): number {
    return this.times.length > 0 ? this.times[this.times.length - 1] : 0;
  }
  get label(): string {
    return this.header.title || this.header.name;
  }

  readMesh(k: number): { vertices: Float32Array; normals: Float32Array; triangles: Uint32Array } {
    const mesh = this.header.meshes[k];
    return {
      vertices: this.interleave(mesh.v),
      normals: this.interleave(mesh.n),
      triangles: readIntegers(this.bytes, mesh.t) as Uint32Array,
    };
  }

  /** Index of the signal of that name, or -1. */
  findSignal(name: string): number {
    return this.ids.get(name) ?? -1;
  }
  /** Its values at signalTimes. */
  values(k: number): Float64Array {
    let values = this.cache.get(k);
    if (!values) {
      const data = this.header.signals.data[k];
      values =
        typeof data === "object" && data !== null
          ? readFloats(this.bytes, data as Column)
          : new Float64Array(this.signalTimes.length).fill(data ?? NaN);
      this.cache.set(k, values);
    }
    return values;
  }
  /** Its value at a time, between the samples on a straight line. */
  valueAt(k: number, t: number): number {
    const values = this.values(k);
    const { i, f } = findInstant(this.signalTimes, t);
    return f === 0 ? values[i] : values[i] + f * (values[i + 1] - values[i]);
  }

  private interleave(columns: Column[]): Float32Array {
    const [x, y, z] = columns.map((column) => readFloats(this.bytes, column));
    const out = new Float32Array(3 * x.length);
    for (let i = 0; i < x.length; i++) out.set([x[i], y[i], z[i]], 3 * i);
    return out;
  }

  private readTrack(track: Pose | { p: Column[]; q: Column[] }): Track {
    if (typeof track.p[0] === "number") {
      return { numbers: Float64Array.from([...(track as Pose).p, ...(track as Pose).q]), constant: true };
    }
    const columns = [...track.p, ...track.q] as Column[];
    const numbers = new Float64Array(7 * columns[0].n);
    columns.forEach((column, k) => {
      const values = readFloats(this.bytes, column);
      for (let i = 0; i < values.length; i++) numbers[7 * i + k] = values[i];
    });
    return { numbers, constant: false };
  }
}
