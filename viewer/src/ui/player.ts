// Play, pause, step, scrub, speed, events: as in common players.
import type { Clock } from "../clock";
import { speeds } from "../clock";
import { mergeTimes } from "../data/compared";
import { findInstant, type Run } from "../data/run";
import { formatNumber, formatTime } from "../data/numbers";
import { button, h, icon, icons } from "./dom";

export class Player {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly slider = h("input", { type: "range", class: "scrub", min: "0", max: "1", step: "any", "aria-label": "Time" });
  private readonly marks = h("canvas", { class: "marks", "aria-hidden": "true" });
  private readonly readout = h("span", { class: "readout" });
  private readonly speed = h("select", { class: "speed", "aria-label": "Speed", title: "Speed" });
  private readonly toEvents = [
    button("Previous event (P)", icons.lastEvent, () => this.jump(-1)),
    button("Next event (N)", icons.nextEvent, () => this.jump(1)),
  ];

  /** Frames of all runs, where runs are compared. */
  private readonly merged: Float64Array | null = null;

  constructor(
    private readonly runs: Run[],
    private readonly clock: Clock,
  ) {
    if (runs.length > 1) this.merged = mergeTimes(runs.map((run) => run.times));
    this.playButton = button("Play", icons.play, () => clock.toggle(), { class: "tool play" });
    this.slider.addEventListener("input", () => {
      const time = clock.start + Number(this.slider.value) * (clock.end - clock.start);
      clock.pause();
      clock.seek(time);
    });
    for (const speed of speeds) this.speed.append(h("option", { value: speed }, `${speed}×`));
    this.speed.addEventListener("change", () => clock.setSpeed(Number(this.speed.value)));
    this.element = h(
      "div",
      { class: "player", role: "group", "aria-label": "Replay" },
      this.toEvents[0],
      button("Previous frame (←)", icons.stepBack, () => this.step(-1)),
      this.playButton,
      button("Next frame (→)", icons.stepForward, () => this.step(1)),
      this.toEvents[1],
      h("div", { class: "timeline" }, this.marks, this.slider),
      this.readout,
      this.speed,
    );
    clock.onChange(() => this.show());
    new ResizeObserver(() => this.drawMarks()).observe(this.marks);
    this.refresh();
    this.show();
  }

  private get times(): Float64Array {
    return this.merged ?? this.runs[0].times;
  }
  /** Events may have come. */
  refresh(): void {
    for (const knob of this.toEvents) knob.disabled = this.runs.every((run) => run.events.length === 0);
    this.drawMarks();
  }

  /** By whole frames. */
  step(frames: number): void {
    this.clock.pause();
    const { times } = this;
    const at = findInstant(times, this.clock.time);
    const from = frames < 0 && at.f > 1e-9 ? at.i + 1 : at.i;
    const to = Math.min(times.length - 1, Math.max(0, from + frames));
    if (to >= 0) this.clock.seek(times[to]);
  }

  /** To the next (1) or the last (-1) event of any run, and to the frame that shows it. */
  jump(direction: number): void {
    this.clock.pause();
    const tiny = 1e-9 * Math.max(this.clock.end - this.clock.start, 1e-9);
    const times = this.runs.flatMap((run) => run.events.map((event) => this.frameTime(event.t, run)));
    if (this.runs.length > 1) times.sort((a, b) => a - b);
    const next = direction > 0 ? times.find((t) => t > this.clock.time + tiny) : times.reverse().find((t) => t < this.clock.time - tiny);
    if (next !== undefined) this.clock.seek(next);
  }
  /** The run's first frame at or after a time: the one that shows what happened then. */
  frameTime(t: number, { times }: Run): number {
    const at = findInstant(times, t);
    return times[Math.min(times.length - 1, t <= times[at.i] ? at.i : at.i + 1)] ?? t;
  }

  private show(): void {
    const { clock } = this;
    const span = clock.end - clock.start;
    this.slider.value = String(span > 0 ? (clock.time - clock.start) / span : 0);
    const interval = span / Math.max(this.times.length - 1, 1);
    const now = formatTime(clock.time, interval);
    this.readout.textContent = `${now} / ${formatNumber(clock.end)} s`;
    this.slider.setAttribute("aria-valuetext", `${now} s`);
    const playing = String(clock.playing);
    if (this.playButton.dataset.playing !== playing) {
      this.playButton.dataset.playing = playing;
      const label = clock.playing ? "Pause (space)" : "Play (space)";
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
      this.playButton.replaceChildren(icon(clock.playing ? icons.pause : icons.play, true));
    }
    const listed = [...this.speed.options].some((option) => Number(option.value) === clock.speed);
    if (!listed) this.speed.append(h("option", { value: clock.speed }, `${clock.speed}×`));
    this.speed.value = String(clock.speed);
  }

  drawMarks(): void {
    const { width, height } = this.marks.getBoundingClientRect();
    const scale = devicePixelRatio;
    this.marks.width = width * scale;
    this.marks.height = height * scale;
    const context = this.marks.getContext("2d");
    if (!context) return;
    context.fillStyle = getComputedStyle(this.marks).color;
    context.globalAlpha = 0.7;
    const span = this.clock.end - this.clock.start;
    // The thumb's middle travels between its half widths.
    const thumb = 7 * scale;
    for (const event of this.runs.flatMap((run) => run.events)) {
      const x = thumb + ((event.t - this.clock.start) / span) * (this.marks.width - 2 * thumb);
      context.fillRect(Math.round(x), 0, scale, this.marks.height);
    }
  }
}
