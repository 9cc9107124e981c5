// The plots that the user has chosen, below one another, with one range of time.
import type uPlot from "uplot";
import type { Run } from "../data/run";
import { findCurve, labelOf, resample, type Series } from "../data/series";
import { formatValue } from "../data/numbers";
import type { Clock } from "../clock";
import { button, h, icons } from "./dom";
import { curveColors, makeLines, makePlot } from "./plot";

interface Panel {
  unit: string;
  names: string[];
  log: boolean;
  difference: boolean;
  frame: HTMLElement;
  plot: uPlot | null;
  values: HTMLElement[];
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
    const panel: Panel = { unit: series[0].unit, names: series.map((one) => one.name), log: false, difference: this.runs.length > 1, frame: h("section", { class: "plot" }), plot: null, values: [] };
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
    panel.values = panel.names.map(() => h("output", { class: "now" }));
    const chips = panel.names.map((name, k) =>
      h("span", { class: "chip", style: `--curve: ${curveColors[k % curveColors.length]}` }, h("i", { class: "swatch" }), labelOf(name), panel.values[k], button(`Remove ${labelOf(name)}`, icons.close, () => this.remove(name))),
    );
    const toggle = (label: string, key: "log" | "difference") =>
      h("label", { class: "check" }, h("input", { type: "checkbox", checked: panel[key], onchange: () => ((panel[key] = !panel[key]), this.draw(panel)) }), label);
    const tools = h("span", { class: "plot-tools" }, toggle("log", "log"), this.runs.length > 1 && toggle("difference", "difference"), button("Close plot", icons.close, () => this.close(panel)));
    const holder = h("div", { class: "plot-area", role: "img", "aria-label": `Plot of ${panel.names.map(labelOf).join(", ")} over time` });
    panel.frame.append(h("header", {}, h("div", { class: "chips" }, ...chips), tools), holder);
    if (this.runs.length > 1) panel.frame.append(this.makeKey(panel.difference));
    const difference = panel.difference && this.runs.length > 1;
    panel.plot = makePlot(holder, makeLines(this.runs, panel.names, { log: panel.log, difference }), panel.unit, this.clock, {
      log: panel.log,
      height: 196,
      zoom: this.zoom,
      onZoom: (low, high) => this.setZoom(low, high),
    });
    this.showTime();
  }

  // Which dashes are whose.
  private makeKey(difference: boolean): HTMLElement {
    const [first, ...others] = this.runs.map((run) => run.header.name);
    const words = [`solid ${first}`, `dashed ${others.join(", ")}`];
    if (difference) words.push(`dotted difference from ${first}`);
    return h("p", { class: "soft key-line" }, words.join(" · "));
  }

  private setZoom(low: number, high: number): void {
    const whole = low <= this.clock.start && high >= this.clock.end;
    this.zoom = whole ? null : [low, high];
    for (const panel of this.panels) panel.plot?.setScale("x", { min: low, max: high });
  }
  private resize(): void {
    for (const panel of this.panels) {
      const area = panel.plot?.root.parentElement;
      if (area && panel.plot && area.clientWidth > 0) panel.plot.setSize({ width: area.clientWidth, height: panel.plot.height });
    }
  }
  showTime(): void {
    if (this.element.offsetParent === null) return;
    for (const panel of this.panels) {
      panel.plot?.redraw(false, false);
      panel.names.forEach((name, k) => {
        const curve = findCurve(this.runs[0], name);
        panel.values[k].textContent = curve ? formatValue(resample(curve, [this.clock.time])[0], panel.unit) : "not recorded";
      });
    }
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
