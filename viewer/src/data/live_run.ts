// A run that is still going on: it begins as the program stored it and grows by the samples that come.
import { Contacts } from "./contacts";
import type { RunHeader, Vector } from "./header";
import { Run, type Track } from "./run";

/** Numbers that grow; what is there is seen through `view`. */
class Growing {
  private numbers = new Float64Array(1024);
  length = 0;
  constructor(start: ArrayLike<number> = []) {
    this.push(start);
  }
  push(more: ArrayLike<number>): void {
    if (this.length + more.length > this.numbers.length) {
      const larger = new Float64Array(2 * (this.length + more.length));
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers.set(more, this.length);
    this.length += more.length;
  }
  get view(): Float64Array {
    return this.numbers.subarray(0, this.length);
  }
}

interface Follower {
  track: Track;
  numbers: Growing;
  signals: number[];
}

const rowSize = 26;
const parts = ["position.x", "position.y", "position.z", "orientation.w", "orientation.x", "orientation.y", "orientation.z"];

export class LiveRun extends Run {
  override readonly growing = true;
  private readonly instants: Growing;
  private readonly rows: Float32Array[] = [];
  private readonly followers: Follower[] = [];
  private readonly pairIds = new Map<string, number>();
  private readonly first: number[];

  constructor(
    header: RunHeader,
    bytes: Uint8Array,
    private readonly shapes: string[],
  ) {
    super(header, bytes);
    this.instants = new Growing(this.times.subarray(0, 1));
    this.first = this.signals.map((_, k) => super.values(k)[0]);
    this.cache.clear();
    this.followBodies();
    this.contacts = new Contacts([], [0, 0], [], [], [], [[], [], []], [[], [], []], [[], [], []], [[], [], []], [], [[], [], []], [], [], [[], [], []], 0);
    this.showInstants();
  }

  override values(k: number): Float64Array {
    let values = this.cache.get(k);
    if (!values) {
      values = new Float64Array(this.times.length);
      values[0] = this.first[k];
      this.rows.forEach((row, i) => (values![i + 1] = row[k]));
      this.cache.set(k, values);
    }
    return values;
  }

  /** One record of the stream (apps/cli/live_view.cpp), after its mark. */
  append(view: DataView): void {
    let at = 0;
    const float = () => view.getFloat32((at += 4) - 4, true);
    const count = () => view.getUint32((at += 4) - 4, true);
    const t = view.getFloat64(0, true);
    at = 8;
    const values = Float32Array.from({ length: count() }, float);
    const contactCount = count();
    const contacts = Array.from({ length: contactCount }, () => Array.from({ length: rowSize }, float));
    const events = JSON.parse(new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, view.byteLength - at))) as [number, string, string][];
    // The first sample is there already.
    if (!(t > this.end)) return;
    this.instants.push([t]);
    this.rows.push(values);
    for (const one of this.followers) {
      const pose = one.signals.map((k) => values[k]);
      one.numbers.push(pose.every(Number.isFinite) ? pose : one.numbers.view.slice(-7));
      one.track.numbers = one.numbers.view;
      one.track.constant = false;
    }
    for (const row of contacts) this.appendContact(row);
    (this.contacts!.starts as number[]).push(this.contacts!.pair.length);
    for (const [time, kind, name] of events) this.events.push({ t: time, kind, name });
    this.showInstants();
    this.widen();
  }

  private followBodies(): void {
    for (const body of this.bodies) {
      const signals = parts.map((part) => this.findSignal(`${body.name}.${part}`));
      if (body.fixed || signals.some((k) => k < 0)) continue;
      this.followers.push({ track: body.track, numbers: new Growing(body.track.numbers.subarray(0, 7)), signals });
    }
  }
  private showInstants(): void {
    this.times = this.signalTimes = this.instants.view;
    this.header.samples = this.times.length;
    this.cache.clear();
  }

  private appendContact(row: number[]): void {
    const contacts = this.contacts!;
    const key = `${row[1]}/${row[2]}`;
    let pair = this.pairIds.get(key);
    if (pair === undefined) {
      this.pairIds.set(key, (pair = contacts.pairs.length));
      const name = (k: number) => this.shapes[k] ?? "unknown shape";
      contacts.pairs.push({ a: name(row[1]), b: name(row[2]), bodyA: -1, bodyB: -1, mu: null });
    }
    const put = (list: ArrayLike<number>, value: number) => (list as number[]).push(value);
    put(contacts.pair, pair);
    put(contacts.point, row[3]);
    for (let k = 0; k < 3; k++) {
      put(contacts.position[k], row[4 + k]);
      put(contacts.normal[k], row[7 + k]);
      put(contacts.impulse[k], row[11 + k]);
      put(contacts.moment[k], row[14 + k]);
      put(contacts.slip[k], row[17 + k]);
      put(contacts.extent[k], row[23 + k]);
    }
    put(contacts.gap, row[10]);
    put(contacts.mode, row[20]);
    put(contacts.volume, row[21]);
    put(contacts.area, row[22]);
    const size = Math.hypot(row[11], row[12], row[13]);
    if (size > contacts.peakImpulse) contacts.peakImpulse = size;
  }

  // What is shown reaches as far as bodies have come.
  private widen(): void {
    const { center } = this.header;
    for (const one of this.followers) {
      const p = one.numbers.view.slice(-7, -4);
      const distance = Math.hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2]);
      if (distance <= this.header.size || !Number.isFinite(distance)) continue;
      // The ball around the old one and the new point.
      const grown = (this.header.size + distance) / 2;
      const share = (grown - this.header.size) / distance;
      this.header.center = center.map((c, k) => c + share * (p[k] - c)) as Vector;
      this.header.size = grown;
      return;
    }
  }
}
