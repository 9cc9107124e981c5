// What is under the pointer in the picture: numbers of a contact, or the name of a body.
import { modeNames } from "../data/contacts";
import { formatValue } from "../data/numbers";
import type { Run } from "../data/run";
import type { Picked } from "../view/stage";
import { h } from "./dom";

function describe(run: Run, { contact, body }: Picked): string[] {
  const { contacts, header } = run;
  if (contact >= 0 && contacts) {
    const scale = header.step > 0 ? 1 / header.step : 1;
    const unit = header.step > 0 ? "N" : "N s";
    return [
      contacts.pairName(contacts.pair[contact]),
      `normal ${formatValue(contacts.normalImpulse(contact) * scale, unit, 4)}`,
      `friction ${formatValue(contacts.tangentImpulse(contact) * scale, unit, 4)}`,
      `${modeNames[contacts.mode[contact]] ?? ""}, gap ${formatValue(contacts.gap[contact], "m", 3)}`,
    ];
  }
  return body >= 0 ? [run.bodies[body].name] : [];
}

export class Tooltip {
  readonly element = h("div", { class: "tooltip", hidden: true });

  constructor(private readonly run: Run) {}

  /** Beside a place of the picture [px], which is so wide; false: there is nothing to tell. */
  show(picked: Picked, x: number, y: number, width: number): boolean {
    const lines = describe(this.run, picked);
    this.element.hidden = lines.length === 0;
    this.element.replaceChildren(...lines.map((line) => h("div", {}, line)));
    this.element.style.left = `${Math.min(x + 14, width - 190)}px`;
    this.element.style.top = `${Math.max(8, y - 12 - 18 * lines.length)}px`;
    return lines.length > 0;
  }
  hide(): void {
    this.element.hidden = true;
  }
}
