// Plots that a panel shows by itself, each with the names of its curves and their values at the time of the replay.
import type uPlot from "uplot";
import type { Clock } from "../clock";
import { formatValue } from "../data/numbers";
import { findInstant } from "../data/run";
import { h } from "./dom";
import { lineSample } from "./line_sample";
import { fitWidth, isSeen, makePlot, type PlotData } from "./plot";

export interface Chart {
  title: string;
  unit: string;
  height: number;
  /** null: there is nothing to draw. */
  makeData: () => PlotData | null;
  stacked?: boolean;
}

interface Drawn {
  plot: uPlot;
  data: PlotData;
  unit: string;
  values: HTMLElement[];
}

export class Charts {
  readonly element = h("div", { class: "charts" });
  private list: Chart[] = [];
  private drawn: Drawn[] = [];

  constructor(private readonly clock: Clock) {
    clock.onChange(() => this.showTime());
    new ResizeObserver(() => this.drawn.forEach(({ plot }) => fitWidth(plot))).observe(this.element);
  }

  show(list: Chart[]): void {
    this.list = list;
    this.redraw();
  }
  redraw(): void {
    for (const { plot } of this.drawn) plot.destroy();
    this.drawn = [];
    this.element.replaceChildren();
    for (const chart of this.list) this.draw(chart);
    this.showTime();
  }

  private draw(chart: Chart): void {
    const data = chart.makeData();
    if (!data || data.lines.length === 0) return;
    const values = data.lines.map(() => h("span", { class: "now" }));
    const chips = data.lines.map((line, k) => h("span", { class: "chip" }, lineSample(chart.stacked && !line.inFront ? { ...line, width: 7 } : line), line.label, values[k]));
    const area = h("div", { class: "plot-area", role: "img", "aria-label": `${chart.title} over time` });
    this.element.append(h("section", { class: "plot" }, h("h3", {}, chart.title), h("div", { class: "chips" }, ...chips), area));
    this.drawn.push({ plot: makePlot(area, data, chart.unit, this.clock, { height: chart.height, stacked: chart.stacked }), data, unit: chart.unit, values });
  }

  showTime(): void {
    if (!isSeen(this.element)) return;
    for (const { plot, data, unit, values } of this.drawn) {
      plot.redraw(false, false);
      const { i, f } = findInstant(data.times, this.clock.time);
      data.lines.forEach((line, k) => {
        const [a, b] = [line.values[i], line.values[i + 1]];
        const value = f === 0 || a === null || b === null ? a : a + f * (b - a);
        values[k].textContent = value === null || value === undefined ? "none now" : formatValue(value, unit, 4);
      });
    }
  }
}
