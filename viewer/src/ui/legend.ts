// What the marks in the picture stand for.
import type { Run } from "../data/run";
import { formatValue } from "../data/numbers";
import { h } from "./dom";

export class Legend {
  readonly element = h("p", { class: "legend", hidden: true });

  constructor(
    private readonly run: Run,
    /** Length grows with this power of the force. */
    private readonly power: number,
  ) {
    this.refresh();
  }

  /** The run may have grown: contacts come, and larger ones. */
  refresh(): void {
    const { contacts, header } = this.run;
    this.element.hidden = !contacts || !(contacts.peakImpulse > 0);
    if (!contacts || this.element.hidden) return;
    const peak = header.step > 0 ? formatValue(contacts.peakImpulse / header.step, "N", 3) : formatValue(contacts.peakImpulse, "N s", 3);
    const scale = this.power === 1 ? "" : `, length by ${this.power === 0.5 ? "square" : "cube"} root`;
    this.element.replaceChildren(h("span", { class: "key force" }, `contact force, longest ${peak}${scale}`), h("span", { class: "key stick" }, "sticks"), h("span", { class: "key slip" }, "slips"));
  }
}
