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
  private readonly kind = h("select", { "aria-label": "Kind of event", onchange: () => this.show() });
  private readonly none = h("p", { class: "empty" });
  private readonly left = h("p", { class: "soft" });
  private readonly table: HTMLElement;
  private readonly counts = new Map<string, number>();
  /** How many of the run's events have been looked at. */
  private seen = 0;
  private found: RunEvent[] = [];
  private rows: { event: RunEvent; row: HTMLElement }[] = [];
  private marked: HTMLElement | null = null;

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly frameTime: (t: number, run: Run) => number,
    /** Above the table, where there are several. */
    heading: string | null = null,
  ) {
    const head = h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "time [s]"), h("th", { scope: "col" }, "event"), h("th", { scope: "col" }, "where")));
    this.table = h("div", {}, h("div", { class: "row" }, this.search, this.kind), h("table", { class: "list" }, head, this.body));
    this.element = h("div", { class: "events" }, heading !== null && h("h2", {}, heading), this.left, this.table, this.none, this.more);
    clock.onChange(() => this.mark());
    this.refresh();
  }

  /** Events may have come. */
  refresh(): void {
    const { events } = this.run;
    const fresh = events.slice(this.seen);
    const all = this.seen > 0 && this.rows.length === this.found.length;
    this.seen = events.length;
    for (const event of fresh) this.counts.set(event.kind, (this.counts.get(event.kind) ?? 0) + 1);
    if (fresh.length > 0 || this.kind.options.length === 0) this.fillKinds();
    this.found.push(...fresh.filter((event) => this.fits(event)));
    if (all || this.rows.length < page) this.grow();
    else this.tell();
  }
  /** What the user looks for. */
  get filter(): [string, string] {
    return [this.search.value, this.kind.value];
  }
  restore([words, kind]: [string, string]): void {
    this.search.value = words;
    this.kind.value = this.counts.has(kind) ? kind : "";
    this.show();
  }

  private fillKinds(): void {
    const chosen = this.kind.value;
    const options = [...this.counts].map(([kind, count]) => h("option", { value: kind }, `${kind} (${count})`));
    this.kind.replaceChildren(h("option", { value: "" }, "all kinds"), ...options);
    this.kind.value = chosen;
  }
  private fits(event: RunEvent): boolean {
    const word = this.search.value.toLowerCase();
    return (this.kind.value === "" || event.kind === this.kind.value) && `${event.kind} ${event.name}`.toLowerCase().includes(word);
  }

  private show(): void {
    this.found = this.run.events.filter((event) => this.fits(event));
    this.body.replaceChildren();
    this.rows = [];
    this.grow();
  }
  private grow(): void {
    for (const event of this.found.slice(this.rows.length, this.rows.length + page)) {
      const jump = h("button", { type: "button", class: "link", title: "Go there", onclick: () => (this.clock.pause(), this.clock.seek(this.frameTime(event.t, this.run))) }, formatNumber(event.t, 6));
      const row = h("tr", {}, h("td", { class: "number" }, jump), h("td", {}, event.kind), h("td", {}, event.name));
      this.rows.push({ event, row });
      this.body.append(row);
    }
    this.tell();
    this.mark();
  }
  private tell(): void {
    this.more.hidden = this.rows.length >= this.found.length;
    this.table.hidden = this.seen === 0;
    this.none.hidden = this.found.length > 0;
    const { count } = this.run.header.events;
    this.left.hidden = !(count > this.seen);
    this.left.textContent = `${this.seen} of ${count} events are listed, spread over the whole run; all events of rare kinds are kept.`;
    const going = this.run.header.status === "running";
    this.none.textContent = this.seen > 0 ? "No event fits." : going ? "No event so far." : "This run recorded no events.";
  }
  // The last event that has happened.
  private mark(): void {
    const later = this.rows.findIndex(({ event }) => event.t > this.clock.time);
    const last = this.rows[(later < 0 ? this.rows.length : later) - 1]?.row ?? null;
    if (last === this.marked) return;
    this.marked?.classList.remove("now");
    last?.classList.add("now");
    this.marked = last;
  }
}
