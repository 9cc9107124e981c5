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

const hasContacts = (run: Run) => run.contacts !== null;
export const entries: Entry[] = [
  { key: "points", label: "Contact points", letter: "1", offered: hasContacts },
  { key: "normals", label: "Contact normals", letter: "2", offered: hasContacts },
  { key: "forces", label: "Contact forces", letter: "3", offered: hasContacts },
  { key: "cones", label: "Friction cones", letter: "4", offered: (run) => run.contacts?.pairs.some((pair) => (pair.mu ?? 0) > 0) ?? false },
  { key: "velocities", label: "Velocities", letter: "5", offered: (_, stage) => stage.motion.hasVelocities },
  { key: "trails", label: "Trails", letter: "6", offered: (run) => run.bodies.some((body) => !body.track.constant) },
  { key: "frames", label: "Body frames", letter: "7", offered: (run) => run.bodies.length > 1 },
  { key: "joints", label: "Joints", letter: "8", offered: (run) => run.header.joints.length > 0 },
  { key: "shapeless", label: "Bodies without shape", letter: "B", offered: (_, stage) => stage.motion.hasShapeless },
  { key: "grid", label: "Ground and grid", letter: "9", offered: () => true },
  { key: "shadows", label: "Shadows", letter: "0", offered: () => true },
];

export const defaultLayers: Layers = {
  points: true,
  normals: false,
  forces: true,
  cones: false,
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

  constructor(
    private readonly run: Run,
    private readonly stage: Stage,
    compared: boolean,
    private readonly changed: () => void,
  ) {
    const offered = entries.filter((entry) => entry.offered(run, stage));
    const all = compared ? [...offered, { key: "ghost" as const, label: "Other run as a ghost", letter: "G" }] : offered;
    const switches = all.map(({ key, label, letter }) => {
      const box = h("input", { type: "checkbox", checked: stage.layers[key], "data-layer": key, onchange: () => this.set(key, box.checked) });
      this.boxes.set(key, box);
      return h("label", { class: "check" }, box, h("span", {}, label), h("kbd", {}, letter));
    });
    this.element = h(
      "details",
      { class: "menu layers" },
      h("summary", { class: "tool", title: "Layers", "aria-label": "Layers" }, icon(icons.layers), "Layers"),
      h("div", { class: "sheet" }, ...switches, this.makeBodyList()),
    );
  }

  toggle(letter: string): boolean {
    const entry = letter === "G" ? { key: "ghost" as const } : entries.find((one) => one.letter === letter);
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
    const rows = this.run.bodies
      .map((body, k) => ({ body, k }))
      .filter(({ k }) => this.stage.bodies.hasShape(k))
      .slice(0, mostBodies)
      .map(({ body, k }) => {
        const choice = h("select", { "aria-label": `How ${body.name} is drawn`, onchange: () => (this.stage.bodies.setLook(k, choice.value as Look), this.changed()) });
        for (const look of ["solid", "glass", "hidden"]) choice.append(h("option", { value: look, selected: this.stage.bodies.look(k) === look }, look));
        return h("div", { class: "body-row" }, h("span", {}, body.name), choice);
      });
    return h("details", { class: "bodies" }, h("summary", {}, `Bodies (${rows.length})`), h("div", { class: "body-list" }, ...rows));
  }
}
