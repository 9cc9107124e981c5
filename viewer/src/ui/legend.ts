// What the marks in the picture stand for.
import type { Run } from "../data/run";
import { formatValue } from "../data/numbers";
import { runColor } from "../view/theme";
import { h } from "./dom";

/** Of what is drawn: length grows with this power of the force; the largest pressure of a patch times the step, 0: points. */
export interface Scales {
  power: number;
  peakPressure: number;
}

export class Legend {
  readonly element = h("p", { class: "legend", hidden: true });

  private readonly ghosts: HTMLElement[];
  private readonly ended = h("span", { class: "ended" });

  constructor(
    private readonly run: Run,
    private readonly others: Run[],
    private readonly drawn: () => Scales,
    /** Are closest points drawn? */
    private readonly hasClosest: () => boolean,
  ) {
    this.ghosts = others.map((other, k) => h("span", { class: "key ghost", style: `--key: ${runColor(k + 1)}` }, other.header.name));
    this.refresh();
  }

  /** The run may have grown: contacts come, and larger ones. */
  refresh(): void {
    const { contacts, header } = this.run;
    const marks: HTMLElement[] = [];
    if (this.hasClosest()) marks.push(h("span", { class: "key closest" }, "closest points, normals and tangents"));
    if (contacts && contacts.peakImpulse > 0) marks.push(...this.makeForceKeys(contacts.peakImpulse, header.step));
    this.element.replaceChildren(...marks, ...this.ghosts, ...(this.others.length > 0 ? [this.ended] : []));
    this.element.hidden = this.element.childElementCount === 0;
  }

  /** Of compared runs those that are over already stay as they ended. */
  showTime(time: number): void {
    const over = [this.run, ...this.others].filter((run) => run.end * (1 + 1e-12) < time);
    const text = over.map((run) => `${run.header.name} ended at ${formatValue(run.end, "s")}`).join(", ");
    if (this.ended.textContent !== text) this.ended.textContent = text;
  }

  private makeForceKeys(impulse: number, step: number): HTMLElement[] {
    const peak = step > 0 ? formatValue(impulse / step, "N", 3) : formatValue(impulse, "N s", 3);
    const { power, peakPressure } = this.drawn();
    const scale = power === 1 ? "" : `, length by ${power === 0.5 ? "square" : "cube"} root`;
    const keys = [h("span", { class: "key force" }, `contact force on the body that moves (of two: on the second), longest ${peak}${scale}`), h("span", { class: "key stick" }, "sticks"), h("span", { class: "key slip" }, "slips")];
    if (peakPressure > 0) keys.push(...this.makePatchKeys(peakPressure, step));
    return keys;
  }

  private makePatchKeys(impulse: number, step: number): HTMLElement[] {
    const peak = step > 0 ? formatValue(impulse / step, "Pa", 3) : formatValue(impulse, "N s/m^2", 3);
    return [h("span", { class: "key pressure" }, `patch, by its mean pressure up to ${peak}`), h("span", { class: "key moment" }, "moment of rolling and spin by the patch's radius")];
  }
}
