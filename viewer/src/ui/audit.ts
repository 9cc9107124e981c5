// May the run be trusted? The verdict with its reasons, the energy ledger, and every measure over time.
import type { Run } from "../data/run";
import type { Level, RunHeader } from "../data/header";
import { findCurve } from "../data/series";
import { formatNumber, formatUnit } from "../data/numbers";
import type { Clock } from "../clock";
import { Charts, type Chart } from "./charts";
import { h } from "./dom";
import { cssColor, isSeen, makeLines, toPlot, type Line, type PlotData } from "./plot";
import { curveColors } from "../view/theme";

export const verdictWords: Record<Level, string> = { trustworthy: "Trustworthy", look_closer: "Look closer", do_not_trust: "Do not trust" };

/** All reasons in one line. */
export function describeVerdict({ reasons }: RunHeader["verdict"]): string {
  return reasons.length === 0 ? "every measure of the audit is within its limit" : reasons.map((reason) => `${reason.name}: ${reason.text}`).join("; ");
}

const measures = ["penetration", "complementarity", "cone", "dissipation", "residual", "iterations", "drift"];

export class AuditPanel {
  readonly element = h("div", { class: "audit" });
  private drawn = false;
  private readonly charts: Charts;

  constructor(
    private readonly runs: Run[],
    private readonly clock: Clock,
    private readonly frameTime: (t: number, run: Run) => number,
  ) {
    this.charts = new Charts(clock);
    this.element.append(...runs.map((run) => this.makeVerdict(run)), ...runs.flatMap((run) => this.makeChecks(run)), this.charts.element);
  }

  // Of compared runs each verdict, table and ledger has the name of its run.
  private makeVerdict({ header }: Run): HTMLElement {
    const { level, reasons, expected, because } = header.verdict;
    const name = this.runs.length > 1 ? `${header.name}: ` : "";
    const lines = reasons.map((reason) => h("li", {}, `${reason.name}: ${reason.text}`, h("div", { class: "remedy" }, reason.remedy)));
    return h(
      "div",
      { class: `verdict-line ${level}` },
      h("strong", {}, name + verdictWords[level]),
      lines.length === 0 ? " every measure of the audit is within its limit" : h("ul", {}, ...lines),
      because ? h("p", {}, `Expected by the scene: ${expected}, because ${because}`) : null,
    );
  }

  /** Charts are drawn when they are first seen. */
  show(): void {
    if (this.drawn) return this.charts.showTime();
    this.drawn = true;
    this.redraw();
  }
  redraw(): void {
    if (this.drawn) this.charts.show([...this.runs.map((run) => this.makeLedger(run)), ...measures.flatMap((name) => this.makeMeasure(name))]);
  }
  /** The run has grown. */
  refresh(): void {
    if (isSeen(this.element)) this.redraw();
    else this.drawn = false;
  }

  private makeChecks(run: Run): HTMLElement[] {
    const words: Record<Level, string> = { trustworthy: "ok", look_closer: "look closer", do_not_trust: "do not trust" };
    const rows = run.header.checks.map((check) =>
      h(
        "tr",
        {},
        h("td", {}, h("span", { class: `level ${check.level}` }, words[check.level])),
        h("th", { scope: "row" }, check.name, h("div", { class: "soft" }, check.text)),
        h("td", {}, check.value),
        h(
          "td",
          {},
          check.time >= 0 && check.name !== "status" ? h("button", { type: "button", class: "link", onclick: () => (this.clock.pause(), this.clock.seek(this.frameTime(check.time, run))) }, `${formatNumber(check.time)} s`) : "",
          check.place ? h("div", { class: "soft" }, check.place) : null,
        ),
      ),
    );
    const head = h("tr", {}, ...["", "measure", "worst", "when, where"].map((word) => h("th", { scope: "col" }, word)));
    const table = h("table", { class: "list checks" }, h("thead", {}, head), h("tbody", {}, ...rows));
    return this.runs.length > 1 ? [h("h3", {}, `${run.header.name}: measures`), table] : [table];
  }

  private makeLedger(run: Run): Chart {
    const title = this.runs.length > 1 ? `${run.header.name}: energy ledger [J]` : "Energy ledger [J]";
    return { title, unit: "J", height: 200, stacked: true, makeData: () => stackEnergies(run) };
  }
  private makeMeasure(name: string): Chart[] {
    const signal = `audit.${name}`;
    const owner = this.runs.find((run) => run.findSignal(signal) >= 0 && run.values(run.findSignal(signal)).some((v) => v !== 0));
    if (!owner) return [];
    const { unit } = owner.signals[owner.findSignal(signal)];
    const title = `${name}${formatUnit(unit) ? ` [${unit}]` : ""}`;
    return [{ title, unit, height: 130, makeData: () => makeLines(this.runs, [signal]) }];
  }
}

// What the system has, and on top of it what it has lost. The top lies on what it had at the start and what has come in since,
// fed in or by bringing states back onto their constraints: between them is what does not add up.
function stackEnergies(run: Run): PlotData {
  const times = run.signalTimes;
  const part = (name: string) => findCurve(run, `energy.${name}`)?.values ?? new Float64Array(times.length);
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
  const lines: Line[] = areas
    .map(([label, values], k) => ({ label, color: curveColors[k], values: toPlot(values) }))
    .filter((_, k) => areas[k][1].some((v) => v > 1e-6 * scale));
  const [input, added] = [part("input"), part("stabilisation")];
  const start = areas.reduce((sum, [, values]) => sum + (values[0] ?? 0), 0);
  const label = `energy at start + input${added.some((v) => Math.abs(v) > 1e-6 * scale) ? " + stabilisation" : ""}`;
  const due: Line = { label, color: cssColor("--text"), dash: [6, 4], width: 1.5, inFront: true, values: toPlot(input.map((v, i) => start + v + added[i])) };
  return { times, lines: lines.length > 0 ? [...lines, due] : lines };
}
