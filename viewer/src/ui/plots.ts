// The plots that the user has chosen, below one another, with one range of time.
import type uPlot from "uplot";
import type { Run } from "../data/run";
import { findCurve, labelOf, resample, type Series } from "../data/series";
import { formatNumber, formatValue } from "../data/numbers";
import type { Clock } from "../clock";
import { button, h, icons } from "./dom";
import { lineSample } from "./line_sample";
import { differenceStyle, fitWidth, isSeen, makeLines, makePlot, styleOf, updatePlot, type CurveStyle, type PlotData } from "./plot";
import { curveColors } from "../view/theme";

interface Panel {
  unit: string;
  names: string[];
  log: boolean;
  difference: boolean;
  frame: HTMLElement;
  plot: uPlot | null;
  /** Of every signal, of every run. */
  values: HTMLElement[][];
}

/** What the user has made of the plots. */
export interface PlotsState {
  panels: Pick<Panel, "unit" | "names" | "log" | "difference">[];
  zoom: [number, number] | null;
}

export class Plots {
  readonly element = h("div", { class: "plots", "aria-label": "Plots" });
  private readonly panels: Panel[] = [];
  private readonly empty = h("p", { class: "empty" }, "Choose a signal in the list to plot it. Signals of one unit share a plot; drag one here to give it a place.");
  private zoom: [number, number] | null = null;
  onChange: () => void = () => {};

  constructor(
    private readonly runs: Run[],
    private readonly clock: Clock,
  ) {
    this.element.append(this.empty);
    this.acceptDrops(this.element, (series) => this.addPanel(series));
    clock.onChange(() => this.showTime());
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  get names(): string[] {
    return this.panels.flatMap((panel) => panel.names);
  }
  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** To the last plot of that unit, or to a new one; away if it is plotted already. */
  toggle(series: Series): void {
    if (this.has(series.name)) this.remove(series.name);
    else this.add(series);
  }
  add(series: Series): void {
    if (this.has(series.name)) return;
    const panel = [...this.panels].reverse().find((one) => one.unit === series.unit && one.names.length < curveColors.length);
    if (panel) this.addTo(panel, series);
    else this.addPanel(series);
  }
  addPanel(...series: Series[]): void {
    this.open({ unit: series[0].unit, names: series.map((one) => one.name), log: false, difference: this.runs.length > 1 });
  }
  private open(wanted: PlotsState["panels"][number]): void {
    const panel: Panel = { ...wanted, frame: h("section", { class: "plot" }), plot: null, values: [] };
    this.acceptDrops(panel.frame, (dropped) => (dropped.unit === panel.unit ? this.addTo(panel, dropped) : this.addPanel(dropped)));
    this.panels.push(panel);
    this.element.append(panel.frame);
    this.draw(panel);
    this.onChange();
  }
  remove(name: string): void {
    for (const panel of [...this.panels]) {
      if (!panel.names.includes(name)) continue;
      panel.names = panel.names.filter((one) => one !== name);
      if (panel.names.length === 0) this.close(panel);
      else this.draw(panel);
    }
    this.onChange();
  }
  redraw(): void {
    for (const panel of this.panels) this.draw(panel);
  }
  /** The run has grown. */
  refresh(): void {
    for (const panel of this.panels) {
      const data = this.makeData(panel);
      if (panel.plot && panel.plot.series.length === data.lines.length + 1) updatePlot(panel.plot, data, { zoom: this.zoom });
      else this.draw(panel);
    }
    this.showTime();
  }

  get state(): PlotsState {
    return { panels: this.panels.map(({ unit, names, log, difference }) => ({ unit, names: [...names], log, difference })), zoom: this.zoom };
  }
  restore(state: PlotsState): void {
    this.zoom = state.zoom;
    for (const panel of state.panels) this.open(panel);
  }

  private addTo(panel: Panel, series: Series): void {
    if (!panel.names.includes(series.name)) panel.names.push(series.name);
    this.draw(panel);
    this.onChange();
  }
  private close(panel: Panel): void {
    panel.plot?.destroy();
    panel.frame.remove();
    this.panels.splice(this.panels.indexOf(panel), 1);
    this.empty.hidden = this.panels.length > 0;
    this.onChange();
  }

  private draw(panel: Panel): void {
    panel.plot?.destroy();
    panel.frame.replaceChildren();
    this.empty.hidden = true;
    panel.values = panel.names.map(() => this.runs.map(() => h("span", { class: "now" })));
    const chips = panel.names.map((name, k) => {
      const label = h("span", { class: "label" }, labelOf(name));
      const values = this.runs.map((run, r) => h("span", { class: "value", title: run.header.name }, lineSample(styleOf(k, r, panel.names.length)), r === 0 && label, panel.values[k][r]));
      return h("span", { class: "chip" }, ...values, button(`Remove ${labelOf(name)}`, icons.close, () => this.remove(name)));
    });
    const toggle = (label: string, key: "log" | "difference") =>
      h("label", { class: "check" }, h("input", { type: "checkbox", checked: panel[key], onchange: () => ((panel[key] = !panel[key]), this.draw(panel)) }), label);
    const tools = h("span", { class: "plot-tools" }, toggle("log", "log"), this.runs.length > 1 && toggle("difference", "difference"), button("Close plot", icons.close, () => this.close(panel)));
    const holder = h("div", { class: "plot-area", role: "img", "aria-label": `Plot of ${panel.names.map(labelOf).join(", ")} over time` });
    panel.frame.append(h("header", { class: this.runs.length > 1 ? "compared" : "" }, h("div", { class: "chips" }, ...chips), tools), holder);
    if (this.runs.length > 1) panel.frame.append(this.makeKey(panel));
    panel.plot = makePlot(holder, this.makeData(panel), panel.unit, this.clock, {
      log: panel.log,
      height: 196,
      zoom: this.zoom,
      onZoom: (low, high) => this.setZoom(low, high),
    });
    this.showTime();
  }

  private makeData(panel: Panel): PlotData {
    return makeLines(this.runs, panel.names, { log: panel.log, difference: panel.difference && this.runs.length > 1 });
  }

  // Which line is whose.
  private makeKey({ names, difference }: Panel): HTMLElement {
    const alone = names.length === 1;
    const neutral = (style: CurveStyle) => (alone ? style : { ...style, color: "currentColor" });
    const entries = this.runs.map((run, r) => h("span", { class: "chip" }, lineSample(neutral(styleOf(0, r, names.length))), run.header.name));
    if (difference) entries.push(h("span", { class: "chip" }, lineSample({ ...differenceStyle, color: "currentColor" }), `difference from ${this.runs[0].header.name}`));
    return h("p", { class: "soft key-line" }, ...entries);
  }

  private setZoom(low: number, high: number): void {
    const whole = low <= this.clock.start && high >= this.clock.end;
    this.zoom = whole ? null : [low, high];
    for (const panel of this.panels) panel.plot?.setScale("x", { min: low, max: high });
  }
  private resize(): void {
    for (const { plot } of this.panels) if (plot) fitWidth(plot);
  }
  showTime(): void {
    if (!isSeen(this.element)) return;
    for (const panel of this.panels) {
      panel.plot?.redraw(false, false);
      panel.names.forEach((name, k) => this.showValues(panel, name, panel.values[k]));
    }
  }
  // Of every run, those after the first with their difference from it.
  private showValues(panel: Panel, name: string, places: HTMLElement[]): void {
    const values = this.runs.map((run) => {
      const curve = findCurve(run, name);
      return curve ? resample(curve, [this.clock.time])[0] : null;
    });
    values.forEach((value, r) => {
      let text = value === null ? "not recorded" : Number.isNaN(value) && this.clock.time > this.runs[r].end ? "ended" : formatValue(value, panel.unit);
      const first = values[0];
      if (r > 0 && panel.difference && value !== null && first !== null && Number.isFinite(value - first)) {
        text += ` (${value >= first ? "+" : ""}${formatNumber(value - first, 3)})`;
      }
      places[r].textContent = text;
    });
  }

  private acceptDrops(element: HTMLElement, take: (series: Series) => void): void {
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", (event) => {
      const text = event.dataTransfer?.getData("application/x-stiction-signal");
      if (!text) return;
      event.preventDefault();
      event.stopPropagation();
      take(JSON.parse(text) as Series);
    });
  }
}
