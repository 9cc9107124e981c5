// The one time of the page: the replay, the plots and the tables follow it.

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

type Listener = () => void;

export class Clock {
  time: number;
  speed = 1;
  playing = false;
  private readonly listeners = new Set<Listener>();
  private last = 0;

  constructor(
    public start: number,
    public end: number,
  ) {
    this.time = start;
    // Of the speeds the one that shows the run in about six seconds, but never faster than it was.
    const wanted = Math.min(1, Math.max(0.01, (end - start) / 6));
    for (const speed of speeds) if (speed <= wanted * 1.01) this.speed = speed;
  }

  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }
  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    this.time = Math.min(this.end, Math.max(this.start, t));
    this.tell();
  }
  setSpeed(speed: number): void {
    this.speed = Math.min(10, Math.max(0.01, speed));
    this.tell();
  }
  /** To the next slower (-1) or faster (1) speed of the list. */
  changeSpeed(direction: number): void {
    const nearest = speeds.reduce((best, s, k) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(speeds[best] / this.speed)) ? k : best), 0);
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, nearest + direction))]);
  }
  play(): void {
    if (this.time >= this.end) this.time = this.start;
    this.playing = this.end > this.start;
    this.last = 0;
    this.tell();
  }
  pause(): void {
    this.playing = false;
    this.tell();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  /** Called once a picture with the time of the screen [ms]. */
  tick(now: number): void {
    if (!this.playing) return;
    const passed = this.last > 0 ? Math.min((now - this.last) / 1000, 0.25) : 0;
    this.last = now;
    this.time += passed * this.speed;
    if (this.time >= this.end) {
      this.time = this.end;
      this.playing = false;
    }
    this.tell();
  }
  /** The run has grown. `follow`: its end is looked at. */
  extend(end: number, follow: boolean): void {
    this.end = end;
    if (follow) this.time = end;
    this.tell();
  }
}
