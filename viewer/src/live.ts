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

/** Shows what has come, but leaves the page most of its time to answer its user. */
class Pace {
  private timer = 0;
  private next = 0;
  private nextAll = 0;
  constructor(
    private readonly run: LiveRun,
    private readonly app: App,
  ) {}

  grow(): void {
    if (this.timer === 0) this.timer = window.setTimeout(() => this.show(false), Math.max(0, this.next - performance.now()));
  }
  /** There will be no more. */
  end(): void {
    window.clearTimeout(this.timer);
    this.show(true);
  }
  private show(last: boolean): void {
    this.timer = 0;
    const start = performance.now();
    const all = last || start >= this.nextAll;
    forgetCurves(this.run);
    this.app.grow(all);
    const end = performance.now();
    this.next = end + Math.max(60, 4 * (end - start));
    if (all) this.nextAll = end + Math.max(700, 10 * (end - start));
  }
}

export async function watchLive(run: LiveRun, app: App, finish: (whole: Run) => void): Promise<void> {
  app.clock.pause();
  app.clock.setSpeed(1);
  showState("Live");
  const pace = new Pace(run, app);
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
          pace.end();
          finish(new Run(...splitRun(await inflate(record.slice(1)))));
          showState("Finished");
          return;
        }
      }
      pace.grow();
    }
    pace.end();
    showState("Ended");
  } catch (error) {
    console.warn(error);
    pace.end();
    showState("The program has gone: this is what it had sent");
  }
}
