// What happened when: a table that jumps.
import type { Run, RunEvent } from "../data/run";
import { formatNumber } from "../data/numbers";
import type { Clock } from "../clock";
import { h } from "./dom";

const page = 300;

export class EventTable {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly more = h("button", { type: "button", class: "text-button", onclick: () => this.grow() }, "Show more");
  private readonly search = h("input", { type: "search", placeholder: "Find an event", "aria-label": "Find an event", oninput: () => this.show() });
  private readonly kind = h("select", { "aria-label": "Kind of event", onchange: () => this.show() }, h("option", { value: "" }, "all kinds"));
  private found: RunEvent[] = [];
  private rows: { event: RunEvent; row: HTMLElement }[] = [];

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly frameTime: (t: number) => number,
  ) {
    if (run.events.length === 0) {
      this.element = h("p", { class: "empty" }, "This run recorded no events.");
      return;
    }
    const counts = new Map<string, number>();
    for (const event of run.events) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    for (const [kind, count] of counts) this.kind.append(h("option", { value: kind }, `${kind} (${count})`));
    const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "time [s]"), h("th", { scope: "col" }, "event"), h("th", { scope: "col" }, "where")));
    this.element = h("div", { class: "events" }, h("div", { class: "row" }, this.search, this.kind), h("table", { class: "list" }, head, this.body), this.more);
    clock.onChange(() => this.mark());
    this.show();
  }

  private show(): void {
    const word = this.search.value.toLowerCase();
    this.found = this.run.events.filter((event) => (this.kind.value === "" || event.kind === this.kind.value) && `${event.kind} ${event.name}`.toLowerCase().includes(word));
    this.body.replaceChildren();
    this.rows = [];
    this.grow();
    if (this.found.length === 0) this.body.append(h("tr", {}, h("td", { colspan: 3, class: "empty" }, "No event fits.")));
  }
  private grow(): void {
    for (const event of this.found.slice(this.rows.length, this.rows.length + page)) {
      const jump = h("button", { type: "button", class: "link", title: "Go there", onclick: () => (this.clock.pause(), this.clock.seek(this.frameTime(event.t))) }, formatNumber(event.t, 6));
      const row = h("tr", {}, h("td", { class: "number" }, jump), h("td", {}, event.kind), h("td", {}, event.name));
      this.rows.push({ event, row });
      this.body.append(row);
    }
    this.more.hidden = this.rows.length >= this.found.length;
    this.mark();
  }
  // The last event that has happened.
  private mark(): void {
    let last: HTMLElement | null = null;
    for (const { event, row } of this.rows) {
      row.classList.remove("now");
      if (event.t <= this.clock.time) last = row;
    }
    last?.classList.add("now");
  }
}
