// Finds the runs in the page and shows them.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import { decodeBase64, inflate } from "./data/columns";
import type { RunHeader } from "./data/header";
import { LiveRun } from "./data/live_run";
import { Run, splitRun } from "./data/run";
import { watchLive } from "./live";
import { h } from "./ui/dom";

declare global {
  interface Window {
    /** For programs that drive the page: snapshot, movie, tests. */
    stiction: { ready: Promise<void>; app?: App; runs: Run[] };
  }
}

function findBlocks(kind: string): HTMLScriptElement[] {
  return [...document.querySelectorAll<HTMLScriptElement>(`script[type="application/x-stiction-${kind}"]`)];
}

async function readBlock(block: HTMLScriptElement): Promise<[RunHeader, Uint8Array]> {
  const parts = splitRun(await inflate(decodeBase64(block.textContent ?? "")));
  block.remove();
  return parts;
}

function showFailure(error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  document.getElementById("app")!.replaceChildren(
    h("div", { class: "loading", role: "alert" }, h("h1", {}, "This report cannot be shown"), h("p", {}, words), h("p", {}, "Make it anew with stiction view, and open it in a browser of 2023 or later.")),
  );
}

function show(runs: Run[]): void {
  const before = window.stiction.app;
  const state = before?.state ?? null;
  before?.dispose();
  window.stiction.runs = runs;
  window.stiction.app = new App(runs, document.getElementById("app")!, state);
}

async function start(): Promise<void> {
  const blocks = findBlocks("run");
  if (blocks.length === 0) throw new Error("There is no run in this file.");
  const [live] = findBlocks("live");
  if (live) {
    const run = new LiveRun(...(await readBlock(blocks[0])), new TextDecoder().decode(decodeBase64(live.textContent ?? "")).split("\0"));
    show([run]);
    void watchLive(run, window.stiction.app!, (whole) => show([whole]));
    return;
  }
  const runs: Run[] = [];
  for (const block of blocks) runs.push(new Run(...(await readBlock(block))));
  show(runs);
}

window.stiction = { ready: Promise.resolve(), runs: [] };
window.stiction.ready = start().catch((error) => {
  showFailure(error);
  throw error;
});
window.stiction.ready.catch((error) => console.error(error));
