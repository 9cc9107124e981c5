// Elements from code. Text always goes in as text: no name of a run can become markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value as unknown as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A small picture of lines, 20 x 20. */
export function icon(path: string, filled = false): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  if (filled) svg.classList.add("filled");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export const icons = {
  play: "M6 4l11 6-11 6z",
  pause: "M6 4h3v12H6zM12 4h3v12h-3z",
  stepForward: "M5 4l8 6-8 6zM15 4v12",
  stepBack: "M15 4l-8 6 8 6zM5 4v12",
  nextEvent: "M4 5l6 5-6 5M11 5l6 5-6 5",
  lastEvent: "M16 5l-6 5 6 5M9 5l-6 5 6 5",
  layers: "M10 3l7 4-7 4-7-4zM3 11l7 4 7-4",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  print: "M6 8V3h8v5M6 14H3V8h14v6h-3M6 12h8v5H6z",
  help: "M7 7.5a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 1.9M10 15v.6",
  close: "M5 5l10 10M15 5L5 15",
  plus: "M10 4v12M4 10h12",
};

export function button(label: string, picture: string, action: () => void, extra: Attributes = {}): HTMLButtonElement {
  const element = h("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: action, ...extra });
  element.append(icon(picture, picture === icons.play || picture === icons.pause));
  return element;
}

/** A table of names and values. */
export function facts(rows: [string, Child][]): HTMLTableElement {
  const body = h("tbody");
  for (const [name, value] of rows) body.append(h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)));
  return h("table", { class: "facts" }, body);
}
