// What can be plotted: recorded signals, and what the recorded contacts of a pair come to: computed by the program where not
// all of them are drawn, else from those on the page.
import type { Run } from "./run";
import { findInstant } from "./run";

export interface Series {
  /** Unique; "contact:A / B:normal force" for those of contacts. */
  name: string;
  unit: string;
}
export interface Curve {
  times: Float64Array;
  values: Float64Array;
}

interface PairMeasure {
  label: string;
  unit: (force: boolean) => string;
  start: number;
  /** Sum or extreme over the points of a pair at one frame. */
  add: (run: Run, row: number, before: number) => number;
}

/** Contact impulses over a step of known length are shown as mean forces. */
const forceScale = (run: Run) => (run.header.step > 0 ? 1 / run.header.step : 1);
const forceUnit = (force: boolean) => (force ? "N" : "N s");

const pairMeasures: PairMeasure[] = [
  {
    label: "normal force",
    unit: forceUnit,
    start: 0,
    add: (run, row, sum) => sum + run.contacts!.normalImpulse(row) * forceScale(run),
  },
  {
    label: "friction force",
    unit: forceUnit,
    start: 0,
    add: (run, row, sum) => sum + run.contacts!.tangentImpulse(row) * forceScale(run),
  },
  { label: "gap", unit: () => "m", start: NaN, add: (run, row, least) => Math.min(Number.isNaN(least) ? Infinity : least, run.contacts!.gap[row]) },
  { label: "slip speed", unit: () => "m/s", start: NaN, add: (run, row, most) => Math.max(Number.isNaN(most) ? 0 : most, run.contacts!.slipSpeed(row)) },
];

export const contactPrefix = "contact:";

const onlyDrawn = " of drawn contacts";

/** The series of a pair, or of "all contacts". What counts fewer than were recorded is named so. */
export function contactSeriesName(run: Run, pair: string, label: string): string {
  const name = `${contactPrefix}${pair}:${label}`;
  const sums = run.contacts?.sums;
  return sums && !sums.has(name) ? name + onlyDrawn : name;
}

/** All that a run offers. */
export function listSeries(run: Run): Series[] {
  const list: Series[] = run.signals.map((signal) => ({ name: signal.name, unit: signal.unit }));
  const force = run.header.step > 0;
  if (run.contacts) {
    const pairs = ["all contacts", ...run.contacts.pairs.map((_, k) => run.contacts!.pairName(k))];
    for (const pair of pairs) {
      for (const measure of pairMeasures) list.push({ name: contactSeriesName(run, pair, measure.label), unit: measure.unit(force) });
    }
  }
  return list;
}

/** The signal contact.A/B.peak_force with the largest value, if there is one: an impact between two samples is in it alone. */
export function findPeakSeries(run: Run): Series[] {
  let most = 0;
  let best: Series[] = [];
  run.signals.forEach((signal, k) => {
    if (!/^contact\..*\.peak_force$/.test(signal.name)) return;
    const largest = run.values(k).reduce((a, b) => (b > a ? b : a), 0);
    if (largest > most) [most, best] = [largest, [{ name: signal.name, unit: signal.unit }]];
  });
  return best;
}

const curves = new WeakMap<Run, Map<string, Curve>>();

/** The run has grown: its curves are made anew. */
export function forgetCurves(run: Run): void {
  curves.delete(run);
}

function makeContactCurve(run: Run, name: string): Curve | null {
  const contacts = run.contacts;
  if (!contacts) return null;
  const sum = contacts.sums?.read(name);
  if (sum) return sum;
  const [pair, label] = splitLast(name.slice(contactPrefix.length), ":");
  const measure = pairMeasures.find((one) => one.label === label || one.label + onlyDrawn === label);
  const ids = new Set<number>();
  contacts.pairs.forEach((_, k) => (pair === "all contacts" || contacts.pairName(k) === pair) && ids.add(k));
  if (!measure || ids.size === 0) return null;
  const values = new Float64Array(run.times.length);
  for (let frame = 0; frame < values.length; frame++) {
    let value = measure.start;
    const [from, to] = contacts.rows(frame);
    for (let row = from; row < to; row++) if (ids.has(contacts.pair[row])) value = measure.add(run, row, value);
    values[frame] = value;
  }
  return { times: run.times, values };
}

/** The curve of a series, or null if the run has no such thing. */
export function findCurve(run: Run, name: string): Curve | null {
  let known = curves.get(run);
  if (!known) curves.set(run, (known = new Map()));
  const found = known.get(name);
  if (found) return found;
  let curve: Curve | null = null;
  if (name.startsWith(contactPrefix)) curve = makeContactCurve(run, name);
  else {
    const k = run.findSignal(name);
    if (k >= 0) curve = { times: run.signalTimes, values: run.values(k) };
  }
  if (curve) known.set(name, curve);
  return curve;
}

/** Values of a curve at other times, on straight lines between its points; NaN outside. */
export function resample(curve: Curve, times: ArrayLike<number>): Float64Array {
  const out = new Float64Array(times.length).fill(NaN);
  const last = curve.times[curve.times.length - 1];
  for (let i = 0; i < out.length; i++) {
    const t = times[i];
    if (t < curve.times[0] || t > last * (1 + 1e-12)) continue;
    const at = findInstant(curve.times, t);
    const a = curve.values[at.i];
    out[i] = at.f === 0 ? a : a + at.f * (curve.values[at.i + 1] - a);
  }
  return out;
}

export function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return at < 0 ? ["", text] : [text.slice(0, at), text.slice(at + 1)];
}

/** As people read it: contact series without their prefix. */
export function labelOf(name: string): string {
  if (!name.startsWith(contactPrefix)) return name;
  const [pair, label] = splitLast(name.slice(contactPrefix.length), ":");
  return `${pair}: ${label}`;
}
