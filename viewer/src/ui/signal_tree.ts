// All that can be plotted, as a tree by the parts of the names, with a search.
import { contactPrefix, splitLast, type Series } from "../data/series";
import { formatUnit } from "../data/numbers";
import { h } from "./dom";
import type { Plots } from "./plots";

interface Node {
  label: string;
  children: Map<string, Node>;
  series: Series | null;
}

const mostFound = 200;

function pathOf(name: string): string[] {
  if (!name.startsWith(contactPrefix)) return name.split(".");
  return ["contacts", ...splitLast(name.slice(contactPrefix.length), ":")];
}

/** The tree; a branch with one child only is one with it. */
function makeTree(list: Series[]): Node {
  const root: Node = { label: "", children: new Map(), series: null };
  for (const series of list) {
    let node = root;
    for (const part of pathOf(series.name)) {
      let child = node.children.get(part);
      if (!child) node.children.set(part, (child = { label: part, children: new Map(), series: null }));
      node = child;
    }
    node.series = series;
  }
  return root;
}

export class SignalTree {
  readonly element: HTMLElement;
  /** Paths of the branches that are open. */
  readonly open = new Set<string>();
  private tree: Node;
  private readonly list = h("div", { class: "tree", role: "group", "aria-label": "Signals" });
  private readonly search = h("input", { type: "search", placeholder: "Find a signal", "aria-label": "Find a signal", spellcheck: "false" });

  constructor(
    private all: Series[],
    private readonly plots: Plots,
  ) {
    this.tree = makeTree(all);
    this.search.addEventListener("input", () => this.show());
    this.element = h("div", { class: "signals" }, this.search, this.list);
    plots.onChange = () => this.mark();
    this.show();
  }

  /** The run has grown: it may offer more. */
  refresh(all: Series[]): void {
    if (all.length === this.all.length) return;
    this.all = all;
    this.tree = makeTree(all);
    this.show();
  }
  get words(): string {
    return this.search.value;
  }
  restore(words: string, open: Iterable<string>): void {
    this.search.value = words;
    for (const path of open) this.open.add(path);
    this.show();
  }

  private show(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) {
      this.list.replaceChildren(...[...this.tree.children.values()].map((node) => this.makeBranch(node, node.label)));
      return;
    }
    const found = this.all.filter((series) => words.every((word) => series.name.toLowerCase().includes(word)));
    this.list.replaceChildren(...found.slice(0, mostFound).map((series) => this.makeLeaf(series, pathOf(series.name).join("."))));
    if (found.length === 0) this.list.append(h("p", { class: "empty" }, "No signal has that in its name."));
    if (found.length > mostFound) this.list.append(h("p", { class: "empty" }, `and ${found.length - mostFound} more`));
  }

  // Children are made when a branch is opened: a run may have ten thousand signals.
  private makeBranch(node: Node, path: string): HTMLElement {
    if (node.children.size === 0 && node.series) return this.makeLeaf(node.series, node.label);
    const inside = h("div", { class: "inside" });
    const branch = h("details", { open: this.open.has(path) }, h("summary", {}, node.label), inside);
    const fill = () => {
      if (!branch.open || inside.childElementCount > 0) return;
      if (node.series) inside.append(this.makeLeaf(node.series, "value"));
      inside.append(...[...node.children.values()].map((child) => this.makeBranch(child, `${path}\n${child.label}`)));
    };
    branch.addEventListener("toggle", () => {
      if (branch.open) this.open.add(path);
      else this.open.delete(path);
      fill();
    });
    fill();
    return branch;
  }

  private makeLeaf(series: Series, label: string): HTMLElement {
    const leaf = h(
      "button",
      {
        type: "button",
        class: "leaf",
        draggable: "true",
        "data-signal": series.name,
        "aria-pressed": String(this.plots.has(series.name)),
        title: `Plot ${series.name}`,
        onclick: () => this.plots.toggle(series),
        ondragstart: (event: DragEvent) => event.dataTransfer?.setData("application/x-stiction-signal", JSON.stringify(series)),
      },
      h("span", {}, label),
      h("small", {}, formatUnit(series.unit)),
    );
    return leaf;
  }

  private mark(): void {
    for (const leaf of this.list.querySelectorAll<HTMLElement>("[data-signal]")) leaf.setAttribute("aria-pressed", String(this.plots.has(leaf.dataset.signal!)));
  }
}
