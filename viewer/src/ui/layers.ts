// What is drawn: a menu of switches. What a run does not record is not offered.
import type { Stage, Layers } from "../view/stage";
import type { Look } from "../view/bodies";
import type { Run } from "../data/run";
import { h, icon, icons } from "./dom";

interface Entry {
  key: keyof Layers;
  label: string;
  letter: string;
  offered: (run: Run, stage: Stage) => boolean;
}

const hasContacts = (run: Run) => run.contacts !== null && run.contacts.pairs.length > 0;
export const entries: Entry[] = [
  { key: "points", label: "Contact points", letter: "1", offered: hasContacts },
  { key: "normals", label: "Contact normals", letter: "2", offered: hasContacts },
  { key: "forces", label: "Contact forces", letter: "3", offered: hasContacts },
  { key: "cones", label: "Friction cones", letter: "4", offered: (run) => run.contacts?.pairs.some((pair) => (pair.mu ?? 0) > 0) ?? false },
  { key: "closest", label: "Closest points and frames", letter: "C", offered: (_, stage) => !stage.closest.isEmpty },
  { key: "velocities", label: "Velocities", letter: "5", offered: (_, stage) => stage.motion.hasVelocities },
  { key: "trails", label: "Trails", letter: "6", offered: (run) => run.bodies.some((body) => !body.track.constant) },
  { key: "frames", label: "Body frames", letter: "7", offered: (run) => run.bodies.length > 1 },
  { key: "joints", label: "Joints", letter: "8", offered: (run) => run.header.joints.length > 0 },
  { key: "shapeless", label: "Rods between joints", letter: "B", offered: (_, stage) => stage.motion.hasShapeless },
  { key: "grid", label: "Ground and grid", letter: "9", offered: () => true },
  { key: "shadows", label: "Shadows", letter: "0", offered: () => true },
];

/** What is missing from the menu only because a run did not record it; closest points are recorded on request only. */
const needsRecord = new Set<keyof Layers>(["points", "normals", "forces", "cones", "velocities"]);

export const defaultLayers: Layers = {
  points: true,
  normals: false,
  forces: true,
  cones: false,
  closest: true,
  frames: false,
  trails: false,
  velocities: false,
  joints: false,
  shapeless: true,
  grid: true,
  shadows: true,
  ghost: true,
};

const mostBodies = 300;

export class LayerMenu {
  readonly element: HTMLDetailsElement;
  private readonly boxes = new Map<keyof Layers, HTMLInputElement>();
  private readonly sheet = h("div", { class: "sheet" });
  private readonly summary = h("summary", { class: "tool", title: "Layers", "aria-label": "Layers" }, icon(icons.layers), "Layers");
  private readonly entries: Entry[];

  constructor(
    private readonly run: Run,
    private readonly stage: Stage,
    others: number,
    private readonly changed: () => void,
  ) {
    const ghost: Entry = { key: "ghost", label: others > 1 ? "Other runs as ghosts" : "Other run as a ghost", letter: "G", offered: () => others > 0 };
    this.entries = [...entries, ghost];
    this.element = h("details", { class: "menu layers", onkeydown: (event: KeyboardEvent) => event.key === "Escape" && this.close() && event.stopPropagation() }, this.summary, this.sheet);
    this.fill();
  }

  /** True if it was open. */
  close(): boolean {
    if (!this.element.open) return false;
    this.element.open = false;
    this.summary.focus();
    return true;
  }

  /** The run has grown: it may offer more. */
  refresh(): void {
    const offered = this.entries.filter((entry) => entry.offered(this.run, this.stage));
    if (offered.length !== this.boxes.size) this.fill();
  }

  private fill(): void {
    this.boxes.clear();
    const missing: string[] = [];
    const switches: HTMLElement[] = [];
    for (const { key, label, letter, offered } of this.entries) {
      if (!offered(this.run, this.stage)) {
        if (needsRecord.has(key)) missing.push(label.toLowerCase());
        continue;
      }
      const box = h("input", { type: "checkbox", checked: this.stage.layers[key], "data-layer": key, onchange: () => this.set(key, box.checked) });
      this.boxes.set(key, box);
      switches.push(h("label", { class: "check" }, box, h("span", {}, label), h("kbd", {}, letter)));
    }
    const lacks = missing.length > 0 ? [h("p", { class: "soft" }, `This run records no ${missing.join(", ")}.`)] : [];
    this.sheet.replaceChildren(...switches, ...lacks, this.makeBodyList());
  }

  toggle(letter: string): boolean {
    const entry = this.entries.find((one) => one.letter === letter);
    const box = entry && this.boxes.get(entry.key);
    if (!entry || !box) return false;
    this.set(entry.key, !this.stage.layers[entry.key]);
    return true;
  }
  set(key: keyof Layers, on: boolean): void {
    this.stage.layers[key] = on;
    const box = this.boxes.get(key);
    if (box) box.checked = on;
    this.changed();
  }

  // Each body solid, as glass or hidden.
  private makeBodyList(): HTMLElement {
    const shaped = this.run.bodies.map((body, k) => ({ body, k })).filter(({ k }) => this.stage.bodies.hasShape(k));
    const count = shaped.length > mostBodies ? `the first ${mostBodies} of ${shaped.length}` : shaped.length;
    const rows = shaped
      .slice(0, mostBodies)
      .map(({ body, k }) => {
        const choice = h("select", { "aria-label": `How ${body.name} is drawn`, onchange: () => (this.stage.bodies.setLook(k, choice.value as Look), this.changed()) });
        for (const look of ["solid", "glass", "hidden"]) choice.append(h("option", { value: look, selected: this.stage.bodies.look(k) === look }, look));
        return h("div", { class: "body-row" }, h("span", {}, body.name), choice);
      });
    return h("details", { class: "bodies" }, h("summary", {}, `Bodies (${count})`), h("div", { class: "body-list" }, ...rows));
  }
}
