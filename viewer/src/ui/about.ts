// What was run: parameters, scene text, version and hash, so that the report can be reproduced.
import type { Run } from "../data/run";
import { formatNumber } from "../data/numbers";
import { facts, h } from "./dom";

function describe(run: Run): HTMLElement {
  const { header } = run;
  const { summary } = header;
  const rows: [string, string][] = [
    ["run", header.name],
    ["status", header.status + (summary.message ? `: ${summary.message}` : "")],
    ["simulated", `${formatNumber(summary.time)} s in ${summary.steps} steps`],
    ["recorded", `${header.samples} samples, ${run.signals.length} signals, ${header.contacts?.recorded ?? 0} contacts, ${header.events.count} events`],
    ["program", `stiction ${header.version}`],
    ["hash of the final state", summary.hash || "unknown"],
  ];
  if (header.paper) rows.splice(1, 0, ["paper", header.paper]);
  return facts(rows);
}

export function makeAbout(runs: Run[]): HTMLElement {
  const element = h("div", { class: "about" });
  for (const run of runs) {
    const { header } = run;
    const notes = header.notes.map((note) => h("p", { class: "note" }, note));
    const overrides = header.scene.overrides.length > 0 ? [h("h3", {}, "Overrides"), h("pre", {}, header.scene.overrides.map((text) => `--set ${text}`).join("\n"))] : [];
    const files = header.scene.files.flatMap((file) => [h("h3", {}, file.name), h("pre", { tabindex: 0, "aria-label": `Text of ${file.name}` }, file.text)]);
    const parameters = Object.entries(header.parameters);
    element.append(
      h("h2", {}, run.label),
      ...notes,
      describe(run),
      parameters.length > 0 ? h("h3", {}, "Parameters") : "",
      facts(parameters),
      ...overrides,
      ...files,
    );
    if (header.scene.files.length === 0) element.append(h("p", { class: "empty" }, "The scene was made by a program: there is no text of it."));
  }
  return element;
}

const keys: [string, string][] = [
  ["space or K", "play, pause"],
  ["← →", "one frame back, forward"],
  ["J, L", "ten frames back, forward"],
  ["N, P", "next, previous event"],
  ["Home, End", "start, end"],
  ["< >", "slower, faster"],
  ["F", "show everything"],
  ["X, Y, Z", "look along an axis"],
  ["shift + ← → ↑ ↓", "turn the camera"],
  ["+ −", "zoom"],
  ["1 … 9, 0, B", "layers: the menu tells which"],
  ["G", "other runs as ghosts, where runs are compared"],
  ["Esc", "close the menu of layers; clear the selection"],
  ["?", "this help"],
];

export function makeHelp(): HTMLDialogElement {
  const dialog = h("dialog", { class: "help", "aria-label": "Help" });
  const body = h("tbody", {}, ...keys.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, text))));
  dialog.append(
    h("h2", {}, "Keys and mouse"),
    h("table", { class: "facts" }, body),
    h("p", {}, "Drag turns, the right button or shift and drag moves, the wheel zooms. Click a body or a contact for its values. In a plot: click sets the time, drag zooms, double click shows all."),
    h("p", { class: "soft" }, "Drawn with three.js and uPlot, both under the MIT licence; its text is at the start of this file."),
    h("p", { class: "buttons" }, h("button", { type: "button", class: "text-button", onclick: () => dialog.close() }, "Close")),
  );
  return dialog;
}
