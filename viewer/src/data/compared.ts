// Several runs side by side: they need not have the same instants, the same end or the same signals.
import type { Run } from "./run";
import { listSeries, type Series } from "./series";

/** All that any of the runs offers, what the first has before the rest. */
export function listAllSeries(runs: Run[]): Series[] {
  const all = new Map<string, Series>();
  for (const run of runs) for (const series of listSeries(run)) if (!all.has(series.name)) all.set(series.name, series);
  return [...all.values()];
}

/** Equal up to the rounding of sums of time steps. */
const areSame = (a: number, b: number) => Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));

/** The instants of all lists in their order, each once; of one list that list itself. */
export function mergeTimes(lists: Float64Array[]): Float64Array {
  const bases = [...new Set(lists)];
  if (bases.length === 1) return bases[0];
  const all = new Float64Array(bases.reduce((sum, list) => sum + list.length, 0));
  let used = 0;
  for (const list of bases) {
    all.set(list, used);
    used += list.length;
  }
  all.sort();
  return all.filter((t, i) => i === 0 || !areSame(t, all[i - 1]));
}

/** From the first instant of any run to the last of any. */
export function findSpan(runs: Run[]): [number, number] {
  return [Math.min(...runs.map((run) => run.start)), Math.max(...runs.map((run) => run.end))];
}
