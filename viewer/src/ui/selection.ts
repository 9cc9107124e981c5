// What is selected, a body or a contact: its values now, and its plots.
import type { Clock } from "../clock";
import { findInstant, type Run } from "../data/run";
import { contactPrefix, contactSeriesName, type Series } from "../data/series";
import { modeNames } from "../data/contacts";
import { formatNumber, formatValue } from "../data/numbers";
import { Charts, type Chart } from "./charts";
import { facts, h } from "./dom";
import { isSeen, makeLines } from "./plot";
import type { Plots } from "./plots";

export interface Selection {
  body: number; // -1: none
  pair: number; // -1: none
  point: number;
}
export const nothing: Selection = { body: -1, pair: -1, point: 0 };

const axes = ["x", "y", "z"];

export class SelectionPanel {
  readonly element = h("div", { class: "selection" });
  private selection: Selection = nothing;
  private readonly table = h("div", { "aria-live": "off" });
  private readonly charts: Charts;
  private readonly run: Run;
  /** Charts are drawn when they are first seen. */
  private drawn = false;
  private followed = -1;

  constructor(
    private readonly runs: Run[],
    private readonly clock: Clock,
    private readonly plots: Plots,
    private readonly actions: { follow: (body: number) => void; select: (selection: Selection) => void; showPlots: () => void },
  ) {
    this.run = runs[0];
    this.charts = new Charts(clock);
    clock.onChange(() => this.showValues());
    this.select(nothing);
  }

  get selected(): Selection {
    return this.selection;
  }
  select(selection: Selection): void {
    this.selection = selection;
    this.drawn = false;
    this.element.replaceChildren(...this.makeHead(), this.table, this.charts.element);
    this.show();
  }
  /** The camera stays with this body; -1: with none. */
  markFollowed(body: number): void {
    this.followed = body;
    this.element.querySelector(".follow")?.setAttribute("aria-pressed", String(body >= 0 && body === this.selection.body));
  }
  /** Values and charts, if they are to be seen. */
  show(): void {
    if (!this.drawn && isSeen(this.element)) {
      this.drawn = true;
      this.charts.show(this.makeCharts());
    }
    this.charts.showTime();
    this.showValues();
  }
  /** The run has grown: charts are drawn anew, and there may be more to choose. */
  refresh(): void {
    const { body, pair } = this.selection;
    if (body < 0 && pair < 0 && !this.element.contains(document.activeElement)) this.select(this.selection);
    this.drawn = false;
    this.show();
  }
  redraw(): void {
    if (this.drawn) this.charts.redraw();
  }

  // What an engineer asks of a contact: its forces, then gap and slip; of a body: where it is and how fast.
  private makeCharts(): Chart[] {
    const { body, pair } = this.selection;
    const chart = (title: string, list: Series[]): Chart[] => {
      const known = list.filter((one) => one.name.startsWith(contactPrefix) || this.run.findSignal(one.name) >= 0);
      return known.length > 0 ? [{ title, unit: known[0].unit, height: 150, makeData: () => makeLines(this.runs, known.map((one) => one.name)) }] : [];
    };
    if (pair >= 0) {
      const { forces, gap, slip } = this.contactSeries(pair);
      return [...chart("Forces", forces), ...chart("Gap", gap), ...chart("Slip", slip)];
    }
    if (body < 0) return [];
    const { position, velocity, rotation } = this.bodySeries(body);
    return [...chart("Position", position), ...chart("Velocity", velocity), ...chart("Rotation", rotation)];
  }
  private bodySeries(k: number): Record<"position" | "velocity" | "rotation", Series[]> {
    const { name } = this.run.bodies[k];
    const signals = (group: string, unit: string) => axes.map((axis) => ({ name: `${name}.${group}.${axis}`, unit }));
    return { position: signals("position", "m"), velocity: signals("velocity", "m/s"), rotation: signals("angular_velocity", "rad/s") };
  }
  private contactSeries(pair: number): Record<"forces" | "gap" | "slip", Series[]> {
    const name = this.run.contacts!.pairName(pair);
    const unit = this.run.header.step > 0 ? "N" : "N s";
    const series = (label: string, word: string) => ({ name: contactSeriesName(this.run, name, label), unit: word });
    return { forces: [series("normal force", unit), series("friction force", unit)], gap: [series("gap", "m")], slip: [series("slip speed", "m/s")] };
  }

  private makeHead(): HTMLElement[] {
    const { body, pair } = this.selection;
    if (pair >= 0) return this.makeContactHead(pair);
    if (body >= 0) return this.makeBodyHead(body);
    return [
      h("p", { class: "empty" }, "Nothing is selected. Click a body or a contact in the picture, or choose one here."),
      h("label", { class: "field" }, "Body ", this.makeChoice(this.run.bodies.map((one) => one.name), (k) => this.actions.select({ ...nothing, body: k }))),
      ...(this.run.contacts ? [h("label", { class: "field" }, "Contact ", this.makeChoice(this.run.contacts.pairs.map((_, k) => this.run.contacts!.pairName(k)), (k) => this.actions.select({ ...nothing, pair: k })))] : []),
    ];
  }
  private makeChoice(names: string[], choose: (k: number) => void): HTMLSelectElement {
    const choice = h("select", { onchange: () => choice.value !== "" && choose(Number(choice.value)) }, h("option", { value: "" }, "choose…"));
    names.slice(0, 2000).forEach((name, k) => choice.append(h("option", { value: k }, name)));
    return choice;
  }
  private plotButton(label: string, series: Series[]): HTMLElement {
    const known = series.filter((one) => one.name.startsWith(contactPrefix) || this.run.findSignal(one.name) >= 0);
    return h("button", { type: "button", class: "text-button", title: "Among the signals, to compare and zoom", disabled: known.length === 0, onclick: () => (this.plots.addPanel(...known), this.actions.showPlots()) }, label);
  }

  private makeBodyHead(k: number): HTMLElement[] {
    const body = this.run.bodies[k];
    const { position, velocity, rotation } = this.bodySeries(k);
    return [
      h("h2", {}, body.name),
      h("p", { class: "soft" }, body.fixed ? "fixed body" : "body"),
      h(
        "p",
        { class: "buttons" },
        this.plotButton("Plot position", position),
        this.plotButton("Plot velocity", velocity),
        this.plotButton("Plot rotation", rotation),
        h("button", { type: "button", class: "text-button follow", "aria-pressed": String(this.followed === k), onclick: () => this.actions.follow(k) }, "Follow"),
        h("button", { type: "button", class: "text-button", onclick: () => this.actions.select(nothing) }, "Clear"),
      ),
    ];
  }
  private makeContactHead(pair: number): HTMLElement[] {
    const { forces, gap, slip } = this.contactSeries(pair);
    return [
      h("h2", {}, this.run.contacts!.pairName(pair)),
      h("p", { class: "soft" }, "contact, as recorded"),
      h(
        "p",
        { class: "buttons" },
        this.plotButton("Plot forces", forces),
        this.plotButton("Plot gap", gap),
        this.plotButton("Plot slip", slip),
        h("button", { type: "button", class: "text-button", onclick: () => this.actions.select(nothing) }, "Clear"),
      ),
    ];
  }

  showValues(): void {
    if (!isSeen(this.element) && this.table.childElementCount > 0) return;
    const { body, pair } = this.selection;
    this.table.replaceChildren(...(pair >= 0 ? this.makeContactTables(pair) : body >= 0 ? this.makeBodyTable(body) : []));
  }

  private makeBodyTable(k: number): HTMLElement[] {
    const { run, clock } = this;
    const prefix = `${run.bodies[k].name}.`;
    const groups = new Map<string, { parts: string[]; unit: string }>();
    run.signals.forEach((signal, id) => {
      if (!signal.name.startsWith(prefix)) return;
      const [group, part] = signal.name.slice(prefix.length).split(".");
      const entry = groups.get(group) ?? { parts: [], unit: signal.unit };
      const value = formatNumber(run.valueAt(id, clock.time), 4);
      entry.parts.push(part ? `${part} ${value}` : value);
      groups.set(group, entry);
    });
    if (groups.size === 0) return [h("p", { class: "empty" }, "No signal of this body was recorded.")];
    return [facts([...groups].map(([group, { parts, unit }]) => [group.replaceAll("_", " "), h("span", {}, h("span", { class: "parts" }, ...parts.map((part) => h("span", {}, part))), " ", h("small", {}, unit === "1" ? "" : unit))]))];
  }

  private makeContactTables(pair: number): HTMLElement[] {
    const { run } = this;
    const contacts = run.contacts!;
    const frame = findInstant(run.times, this.clock.time).i;
    const [from, to] = contacts.rows(frame);
    const rows: number[] = [];
    for (let row = from; row < to; row++) if (contacts.pair[row] === pair) rows.push(row);
    if (rows.length === 0) return [h("p", { class: "empty" }, "These two are not in contact now.")];
    return rows.slice(0, 12).map((row) => this.makeContactTable(row, rows.length));
  }
  private makeContactTable(row: number, count: number): HTMLElement {
    const contacts = this.run.contacts!;
    const { step } = this.run.header;
    const normal = contacts.normalImpulse(row);
    const tangent = contacts.tangentImpulse(row);
    const mu = contacts.pairs[contacts.pair[row]].mu;
    const vector = (columns: ArrayLike<number>[], unit: string) => `${columns.map((column) => formatNumber(column[row], 4)).join(", ")} ${unit}`;
    const list: [string, string][] = [];
    if (step > 0) list.push(["normal force", formatValue(normal / step, "N")], ["friction force", formatValue(tangent / step, "N")]);
    list.push(["normal impulse", formatValue(normal, "N s")], ["friction impulse", formatValue(tangent, "N s")]);
    if (mu !== null) list.push(["friction coefficient", formatNumber(mu)]);
    if (mu !== null && mu > 0 && normal > 0) list.push(["share of the cone", `${formatNumber((100 * tangent) / (mu * normal), 3)} %`]);
    list.push(["mode", modeNames[contacts.mode[row]] ?? "unknown"], ["gap", formatValue(contacts.gap[row], "m")], ["slip velocity", vector(contacts.slip, "m/s")], ["position", vector(contacts.position, "m")], ["normal", vector(contacts.normal, "")]);
    if (contacts.moment.some((column) => column[row] !== 0)) list.push(["moment impulse", vector(contacts.moment, "N m s")]);
    if (contacts.volume[row] > 0) list.push(["volume", formatValue(contacts.volume[row], "m^3")], ["patch area", formatValue(contacts.area[row], "m^2")], ["patch length", formatValue(2 * Math.hypot(contacts.extent[0][row], contacts.extent[1][row], contacts.extent[2][row]), "m")]);
    const caption = count > 1 ? h("h3", {}, `point ${contacts.point[row]}`) : null;
    return h("section", {}, caption, facts(list));
  }
}
