// Watches a run that is going on: records from the program that simulates it, each with its length before it.
import type { App } from "./app";
import { inflate } from "./data/columns";
import type { LiveRun } from "./data/live_run";
import { Run, splitRun } from "./data/run";
import { forgetCurves } from "./data/series";
import { h } from "./ui/dom";

const sampleMark = 1;
const endMark = 2;

function showState(text: string): void {
  let badge = document.querySelector(".live");
  if (!badge) {
    badge = h("span", { class: "live", role: "status" });
    document.querySelector(".top .spring")?.before(badge);
  }
  badge.textContent = text;
}

/** Whole records out of pieces of any size. */
class Splitter {
  private rest = new Uint8Array(0);
  *take(piece: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    const all = new Uint8Array(this.rest.length + piece.length);
    all.set(this.rest);
    all.set(piece, this.rest.length);
    let at = 0;
    while (all.length - at >= 4) {
      const length = new DataView(all.buffer, at, 4).getUint32(0, true);
      if (all.length - at - 4 < length) break;
      yield all.slice(at + 4, at + 4 + length);
      at += 4 + length;
    }
    this.rest = all.slice(at);
  }
}

export async function watchLive(run: LiveRun, app: App, finish: (whole: Run) => void): Promise<void> {
  app.clock.pause();
  app.clock.setSpeed(1);
  showState("Live");
  let lastPlots = 0;
  try {
    const response = await fetch(`/stream${location.search}`);
    if (!response.ok || !response.body) throw new Error(await response.text());
    const splitter = new Splitter();
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      for (const record of splitter.take(value)) {
        if (record[0] === sampleMark) run.append(new DataView(record.buffer, 1));
        if (record[0] === endMark) {
          forgetCurves(run);
          app.grow(true);
          finish(new Run(...splitRun(await inflate(record.slice(1)))));
          showState("Finished");
          return;
        }
      }
      forgetCurves(run);
      const due = performance.now() - lastPlots > 700;
      if (due) lastPlots = performance.now();
      app.grow(due);
    }
    showState("Ended");
  } catch (error) {
    console.warn(error);
    showState("The program has gone: this is what it had sent");
  }
}
