// Panels behind tabs, by the pattern of the ARIA practices: arrows move between tabs.
import { h } from "./dom";

export interface Tab {
  id: string;
  label: string;
  content: HTMLElement;
  onShow?: () => void;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly panels = new Map<string, HTMLElement>();

  constructor(private readonly tabs: Tab[]) {
    const list = h("div", { role: "tablist", "aria-label": "Panels", onkeydown: (event: KeyboardEvent) => this.move(event) });
    this.element = h("div", { class: "tabs" }, list);
    for (const tab of tabs) {
      const knob = h("button", { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, onclick: () => this.show(tab.id) }, tab.label);
      const panel = h("div", { role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}`, class: "panel-body", "data-title": tab.label }, tab.content);
      this.buttons.set(tab.id, knob);
      this.panels.set(tab.id, panel);
      list.append(knob);
      this.element.append(panel);
    }
    this.show(tabs[0].id);
  }

  get shown(): string {
    return this.tabs.find((tab) => !this.panels.get(tab.id)!.hidden)!.id;
  }
  setLabel(id: string, label: string): void {
    const knob = this.buttons.get(id)!;
    if (knob.textContent !== label) knob.textContent = label;
    this.panels.get(id)!.dataset.title = label;
  }
  show(id: string): void {
    for (const tab of this.tabs) {
      const on = tab.id === id;
      this.panels.get(tab.id)!.hidden = !on;
      const knob = this.buttons.get(tab.id)!;
      knob.setAttribute("aria-selected", String(on));
      knob.tabIndex = on ? 0 : -1;
      if (on && this.element.isConnected) tab.onShow?.();
    }
  }

  private move(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const now = this.tabs.findIndex((tab) => this.buttons.get(tab.id)!.tabIndex === 0);
    const next = this.tabs[(now + step + this.tabs.length) % this.tabs.length].id;
    this.show(next);
    this.buttons.get(next)!.focus();
  }
}
