// One plot of series over time, with the time of the replay as a line.
import uPlot from "uplot";
import type { Run } from "../data/run";
import { mergeTimes } from "../data/compared";
import { findCurve, labelOf, resample } from "../data/series";
import { formatNumber, formatUnit } from "../data/numbers";
import type { Clock } from "../clock";
import { curveColors, runColor } from "../view/theme";

const runDashes: (number[] | undefined)[] = [undefined, [8, 4], [8, 3, 2, 3], [4, 3], [12, 3, 2, 3, 2, 3]];
export interface CurveStyle {
  color: string;
  dash?: number[];
  /** [px] */
  width?: number;
}
/** A difference between runs has the colour of the later one. */
export const differenceStyle = { dash: [1.5, 2.5], width: 1 };

/** How a signal of a run is drawn. Runs differ by their dashes; one signal alone has a colour for each run as well. */
export function styleOf(signal: number, run: number, signals: number): CurveStyle {
  return { color: signals === 1 ? runColor(run) : curveColors[signal % curveColors.length], dash: runDashes[run % runDashes.length] };
}

// Width of plots on paper [px]; 0: they are on a screen, and as wide as their place.
let paperWidth = 0;
export function setPaperWidth(width: number): void {
  paperWidth = width;
}
/** On paper everything is seen, on a screen what no tab hides. */
export function isSeen(element: HTMLElement): boolean {
  return paperWidth > 0 || element.offsetParent !== null;
}
/** To the width of its place. */
export function fitWidth(plot: uPlot): void {
  const area = plot.root.parentElement;
  if (paperWidth === 0 && area && area.clientWidth > 0) plot.setSize({ width: area.clientWidth, height: plot.height });
}

export interface PlotOptions {
  log?: boolean;
  height: number;
  /** Areas on top of each other instead of lines. */
  stacked?: boolean;
  /** Told when the user zooms: all plots keep one range of time. */
  onZoom?: (low: number, high: number) => void;
  zoom?: [number, number] | null;
}

export interface Line extends CurveStyle {
  label: string;
  values: (number | null)[];
  /** In a stack of areas: a line in front of it, at its own height. */
  inFront?: boolean;
}

/** What cannot be drawn is left out. */
export const toPlot = (values: ArrayLike<number>, log = false) => Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null));

export interface PlotData {
  times: Float64Array;
  lines: Line[];
}

/** Curves of the series in every run, at the instants of all of them: no run is cut short, and no point of a curve is lost. */
export function makeLines(runs: Run[], names: string[], options: { log?: boolean; difference?: boolean } = {}): PlotData {
  const found = names.map((name) => runs.map((run) => findCurve(run, name)));
  const bases = found.flat().flatMap((curve) => (curve ? [curve.times] : []));
  const times = bases.length > 0 ? mergeTimes(bases) : runs[0].signalTimes;
  const lines: Line[] = [];
  const log = options.log ?? false;
  names.forEach((name, k) => {
    const label = labelOf(name);
    const curves = found[k].map((curve) => curve && (curve.times === times ? curve.values : resample(curve, times)));
    curves.forEach((values, r) => {
      if (!values) return;
      const suffix = runs.length > 1 ? ` (${runs[r].header.name})` : "";
      lines.push({ label: label + suffix, ...styleOf(k, r, names.length), values: toPlot(values, log) });
    });
    const [a, ...rest] = curves;
    if (!options.difference || !a) return;
    rest.forEach((b, r) => {
      if (!b) return;
      const difference = a.map((v, i) => (log ? Math.abs(b[i] - v) : b[i] - v));
      const { color } = styleOf(k, r + 1, names.length);
      lines.push({ label: `${label}: ${runs[r + 1].header.name} − ${runs[0].header.name}`, color, ...differenceStyle, values: toPlot(difference, log) });
    });
  });
  return { times, lines };
}

/** Each on top of those before. */
function stack(lines: Line[]): (number | null)[][] {
  const tops: (number | null)[][] = [];
  for (const { values } of lines) {
    const below = tops[tops.length - 1];
    tops.push(below ? values.map((v, i) => (v ?? 0) + (below[i] ?? 0)) : values);
  }
  return tops;
}

/** In which lines are drawn: the top area of a stack first, so that it lies behind the others. */
function orderOf(lines: Line[], stacked: boolean): Line[] {
  return stacked ? [...lines.filter((line) => !line.inFront).reverse(), ...lines.filter((line) => line.inFront)] : lines;
}

/** What uPlot takes: the times and a list for each line. */
function toColumns({ times, lines }: PlotData, stacked: boolean): uPlot.AlignedData {
  const areas = lines.filter((line) => !line.inFront);
  const tops = stacked ? stack(areas) : [];
  const columns = orderOf(lines, stacked).map((line) => (stacked && !line.inFront ? tops[areas.indexOf(line)] : line.values));
  return [Array.from(times), ...columns] as uPlot.AlignedData;
}

/** The same curves of a run that has grown. */
export function updatePlot(plot: uPlot, data: PlotData, options: { stacked?: boolean; zoom?: [number, number] | null }): void {
  plot.setData(toColumns(data, options.stacked ?? false), true);
  if (options.zoom) plot.setScale("x", { min: options.zoom[0], max: options.zoom[1] });
}

export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Areas cover each other: what shines through would have a colour that no key tells. */
function areaColor(color: string): string {
  const parts = (text: string) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const [own, back] = [parts(color), parts(cssColor("--back"))];
  return `rgb(${own.map((v, k) => Math.round(0.62 * v + 0.38 * back[k])).join(" ")})`;
}

export function makePlot(parent: HTMLElement, data: PlotData, unit: string, clock: Clock, options: PlotOptions): uPlot {
  const { lines } = data;
  const text = cssColor("--text-soft");
  const grid = { stroke: cssColor("--grid"), width: 1 };
  const font = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  const word = formatUnit(unit);

  const drawTime = (plot: uPlot) => {
    const x = plot.valToPos(clock.time, "x", true);
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > left + width) return;
    plot.ctx.save();
    plot.ctx.strokeStyle = cssColor("--cursor");
    plot.ctx.lineWidth = 1.5 * devicePixelRatio;
    plot.ctx.setLineDash([]);
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, top);
    plot.ctx.lineTo(x, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  };
  // A click without a drag sets the time.
  const watchClicks = (plot: uPlot) => {
    let down = 0;
    plot.over.addEventListener("mousedown", (event) => (down = event.clientX));
    plot.over.addEventListener("mouseup", (event) => {
      if (Math.abs(event.clientX - down) < 4) clock.seek(plot.posToVal(event.offsetX, "x"));
    });
  };

  const plot = new uPlot(
    {
      width: paperWidth || Math.max(parent.clientWidth, 200),
      height: options.height,
      ms: 1,
      legend: { show: false },
      cursor: { drag: { x: true, y: false, dist: 4 }, points: { size: 6 } },
      scales: {
        x: { time: false, range: (_, low, high) => (low === high ? [low - 0.5, high + 0.5] : [low, high]) },
        y: { distr: options.log ? 3 : 1, range: options.log ? undefined : (_, low, high) => padRange(low, high) },
      },
      axes: [
        { stroke: text, grid, ticks: grid, font, size: 30, label: "time [s]", labelFont: font, labelSize: 15 },
        { stroke: text, grid, ticks: grid, font, size: 62, label: word ? `[${word}]` : "[-]", labelFont: font, labelSize: 15, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : formatNumber(tick, 6))) },
      ],
      series: [
        { label: "t" },
        ...orderOf(lines, options.stacked ?? false).map((line) => ({
          label: line.label,
          stroke: line.color,
          width: line.width ?? 1.5,
          dash: line.dash,
          fill: options.stacked && !line.inFront ? areaColor(line.color) : undefined,
          points: { show: (u: uPlot) => u.data[0].length < 3 },
          pxAlign: 0,
        })),
      ],
      hooks: {
        draw: [drawTime],
        ready: [watchClicks],
        setSelect: [(p) => p.select.width > 0 && options.onZoom?.(p.posToVal(p.select.left, "x"), p.posToVal(p.select.left + p.select.width, "x"))],
      },
    },
    toColumns(data, options.stacked ?? false),
    parent,
  );
  plot.over.addEventListener("dblclick", () => options.onZoom?.(clock.start, clock.end));
  // At once: a page that is printed waits for nothing.
  plot.batch(() => options.zoom && plot.setScale("x", { min: options.zoom[0], max: options.zoom[1] }));
  return plot;
}

/** A little room above and below; a constant lies in the middle. */
function padRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [-1, 1];
  const span = high - low;
  if (span <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) {
    const half = Math.abs(high) > 0 ? 0.5 * Math.abs(high) : 1;
    return [low - half, high + half];
  }
  return [low - 0.06 * span, high + 0.06 * span];
}
