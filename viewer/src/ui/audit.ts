// May the run be trusted? The verdict with its reasons, the energy ledger, and every measure over time.
import type { Run } from "../data/run";
import type { Level } from "../data/header";
import { findCurve } from "../data/series";
import { formatNumber, formatUnit, formatValue } from "../data/numbers";
import type { Clock } from "../clock";
import { Charts, type Chart } from "./charts";
import { h } from "./dom";
import { isSeen, makeLines, type PlotData } from "./plot";
import { curveColors } from "../view/theme";

export const verdictWords: Record<Level, string> = { good: "Trustworthy", doubtful: "Look closer", bad: "Do not trust" };

const measures = ["penetration", "complementarity", "cone", "dissipation", "residual", "iterations", "drift"];

export class AuditPanel {
  readonly element = h("div", { class: "audit" });
  private drawn = false;
  private readonly charts: Charts;

  constructor(
    private readonly run: Run,
    private readonly others: Run[],
    private readonly clock: Clock,
    private readonly frameTime: (t: number) => number,
  ) {
    this.charts = new Charts(clock);
    this.element.append(...[run, ...others].map((one) => this.makeVerdict(one)), this.makeChecks(), this.charts.element);
  }

  // Of compared runs each verdict has the name of its run.
  private makeVerdict({ header }: Run): HTMLElement {
    const { level, reason } = header.verdict;
    const name = this.others.length > 0 ? `${header.name}: ` : "";
    return h("p", { class: `verdict-line ${level}` }, h("strong", {}, name + verdictWords[level]), ` ${reason}`);
  }

  /** Charts are drawn when they are first seen. */
  show(): void {
    if (this.drawn) return this.charts.showTime();
    this.drawn = true;
    this.redraw();
  }
  redraw(): void {
    if (this.drawn) this.charts.show([this.makeLedger(), ...measures.flatMap((name) => this.makeMeasure(name))]);
  }
  /** The run has grown. */
  refresh(): void {
    if (isSeen(this.element)) this.redraw();
    else this.drawn = false;
  }

  private makeChecks(): HTMLElement {
    const words: Record<Level, string> = { good: "ok", doubtful: "doubtful", bad: "bad" };
    const rows = this.run.header.checks.map((check) =>
      h(
        "tr",
        {},
        h("td", {}, h("span", { class: `level ${check.level}` }, words[check.level])),
        h("th", { scope: "row" }, check.name, h("div", { class: "soft" }, check.reason)),
        h("td", {}, ["status", "finite"].includes(check.name) ? "" : formatValue(check.worst, check.unit, 3)),
        h(
          "td",
          {},
          check.time >= 0 && check.name !== "status" ? h("button", { type: "button", class: "link", onclick: () => (this.clock.pause(), this.clock.seek(this.frameTime(check.time))) }, `${formatNumber(check.time)} s`) : "",
          check.contact ? h("div", { class: "soft" }, check.contact) : null,
        ),
      ),
    );
    const head = h("tr", {}, ...["", "measure", "worst", "when, where"].map((word) => h("th", { scope: "col" }, word)));
    return h("table", { class: "list checks" }, h("thead", {}, head), h("tbody", {}, ...rows));
  }

  private makeLedger(): Chart {
    return { title: "Energy ledger [J]", unit: "J", height: 200, stacked: true, makeData: () => this.stackEnergies() };
  }
  // What the system has, and on top of it what it has lost: with nothing fed in the top stays level.
  private stackEnergies(): PlotData {
    const times = this.run.signalTimes;
    const part = (name: string) => findCurve(this.run, `energy.${name}`)?.values ?? new Float64Array(times.length);
    const potential = part("potential");
    const least = potential.reduce((low, v) => (v < low ? v : low), Infinity);
    const [friction, impact, lost] = [part("friction"), part("impact"), part("dissipated")];
    const areas: [string, Float64Array][] = [
      ["kinetic", part("kinetic")],
      [least === 0 ? "potential" : "potential above its least", potential.map((v) => v - least)],
      ["stored in springs", part("stored")],
      ["lost in friction", friction],
      ["lost in impacts", impact],
      ["lost elsewhere", lost.map((v, i) => Math.max(0, v - friction[i] - impact[i]))],
    ];
    const scale = areas.reduce((top, [, values]) => values.reduce((high, v) => (v > high ? v : high), top), 0);
    const lines = areas
      .map(([label, values], k) => ({ label, color: curveColors[k], values: Array.from(values, (v) => (Number.isFinite(v) ? v : null)) }))
      .filter((_, k) => areas[k][1].some((v) => v > 1e-6 * scale));
    return { times, lines };
  }

  private makeMeasure(name: string): Chart[] {
    const signal = `audit.${name}`;
    const id = this.run.findSignal(signal);
    if (id < 0 || !this.run.values(id).some((v) => v !== 0)) return [];
    const { unit } = this.run.signals[id];
    const title = `${name}${formatUnit(unit) ? ` [${unit}]` : ""}`;
    return [{ title, unit, height: 130, makeData: () => makeLines([this.run], [signal]) }];
  }
}
