// The contacts a run recorded, by frame.
import { readFloats, readIntegers } from "./columns";
import type { ContactColumns, Pair, SignalColumns } from "./header";

export const modeNames = ["open", "stick", "slip"];

type Numbers = ArrayLike<number>;
type Three = [Numbers, Numbers, Numbers];

/** What all recorded contacts come to, where not all of them are drawn. */
export class ContactSums {
  private readonly times: Float64Array;
  private readonly ids: Map<string, number>;
  constructor(
    private readonly columns: SignalColumns,
    private readonly bytes: Uint8Array,
  ) {
    this.times = readFloats(bytes, columns.times);
    this.ids = new Map(columns.names.map((name, k) => [name, k]));
  }
  has(name: string): boolean {
    return this.ids.has(name);
  }
  read(name: string): { times: Float64Array; values: Float64Array } | null {
    const k = this.ids.get(name);
    if (k === undefined) return null;
    const data = this.columns.data[k];
    const constant = typeof data !== "object" || data === null;
    return { times: this.times, values: constant ? new Float64Array(this.times.length).fill(data ?? NaN) : readFloats(this.bytes, data) };
  }
}

export class Contacts {
  /** None: every recorded contact is drawn. */
  sums: ContactSums | null = null;
  constructor(
    readonly pairs: Pair[],
    /** Of every frame the row it begins at, and the end. */
    readonly starts: Numbers,
    readonly pair: Numbers,
    readonly point: Numbers,
    readonly mode: Numbers,
    readonly position: Three,
    readonly normal: Three,
    readonly impulse: Three,
    readonly slip: Three,
    readonly gap: Numbers,
    /** On b, about the position [N m s]. */
    readonly moment: Three,
    /** Of patches with volume, with half the longest axis of an ellipse of that area [m^3, m^2, m]; of points 0. */
    readonly volume: Numbers,
    readonly area: Numbers,
    readonly extent: Three,
    public peakImpulse: number,
  ) {}

  static read(columns: ContactColumns, bytes: Uint8Array): Contacts {
    const three = (list: ContactColumns["position"]) => list.map((column) => readFloats(bytes, column)) as unknown as Three;
    const contacts = new Contacts(
      columns.pairs,
      readIntegers(bytes, columns.starts),
      readIntegers(bytes, columns.pair),
      readIntegers(bytes, columns.point),
      readIntegers(bytes, columns.mode),
      three(columns.position),
      three(columns.normal),
      three(columns.impulse),
      three(columns.slip),
      readFloats(bytes, columns.gap),
      three(columns.moment),
      readFloats(bytes, columns.volume),
      readFloats(bytes, columns.area),
      three(columns.extent),
      columns.peakImpulse,
    );
    if (columns.sums) contacts.sums = new ContactSums(columns.sums, bytes);
    return contacts;
  }

  /** Rows of a frame: from, to. */
  rows(frame: number): [number, number] {
    return frame + 1 < this.starts.length ? [this.starts[frame], this.starts[frame + 1]] : [0, 0];
  }
  pairName(pair: number): string {
    return `${this.pairs[pair].a} / ${this.pairs[pair].b}`;
  }
  normalImpulse(row: number): number {
    const [x, y, z] = this.normal;
    const [ix, iy, iz] = this.impulse;
    return ix[row] * x[row] + iy[row] * y[row] + iz[row] * z[row];
  }
  impulseSize(row: number): number {
    return Math.hypot(this.impulse[0][row], this.impulse[1][row], this.impulse[2][row]);
  }
  tangentImpulse(row: number): number {
    const n = this.normalImpulse(row);
    return Math.hypot(...this.impulse.map((component, k) => component[row] - n * this.normal[k][row]));
  }
  slipSpeed(row: number): number {
    return Math.hypot(this.slip[0][row], this.slip[1][row], this.slip[2][row]);
  }
}
