// The page: picture, player and panels, and what ties them together.
import { Vector3 } from "three";
import { Clock } from "./clock";
import type { Run } from "./data/run";
import { findSpan, listAllSeries } from "./data/compared";
import { contactPrefix, findPeakSeries } from "./data/series";
import { formatValue } from "./data/numbers";
import { readLink, writeLink } from "./link";
import type { PageState } from "./page_state";
import { makeAbout, makeHelp } from "./ui/about";
import { levels } from "./data/header";
import { AuditPanel, describeVerdict, verdictWords } from "./ui/audit";
import { button, h, icons } from "./ui/dom";
import { EventTable } from "./ui/events";
import { defaultLayers, LayerMenu } from "./ui/layers";
import { Legend } from "./ui/legend";
import { Paper } from "./paper";
import { Player } from "./ui/player";
import { Plots } from "./ui/plots";
import { nothing, SelectionPanel, type Selection } from "./ui/selection";
import { SignalTree } from "./ui/signal_tree";
import { makeSplitter } from "./ui/splitter";
import { Tabs } from "./ui/tabs";
import { Tooltip } from "./ui/tooltip";
import { Stage, type Layers } from "./view/stage";
import { isDark } from "./view/theme";

const noPicture = "This browser has no WebGL 2, so there is no picture here. Signals, events and audit are complete.";
/** Turn of the camera by a key [rad]. */
const keyTurn = Math.PI / 16;

export class App {
  readonly clock: Clock;
  readonly stage: Stage;
  readonly plots: Plots;
  private readonly run: Run;
  private readonly player: Player;
  private readonly layers: LayerMenu;
  private readonly selectionPanel: SelectionPanel;
  private readonly audit: AuditPanel;
  /** One a run. */
  private readonly events: EventTable[];
  private readonly tree: SignalTree;
  private readonly legend: Legend;
  private readonly tabs: Tabs;
  private readonly canvas = h("canvas", { class: "picture", tabindex: 0, "aria-label": "3D picture of the run. Arrow keys step through it, with shift they turn it, plus and minus zoom, space plays it." });
  private readonly tooltip: Tooltip;
  private readonly help = makeHelp();
  private dirty = true;
  private hasContactPlot = false;
  /** Ends all listeners when the app goes. */
  private readonly ended = new AbortController();
  private readonly paper = new Paper(
    {
      redraw: () => {
        this.audit.show();
        this.applyTheme();
        this.drawNow();
      },
      picture: () => (this.stage.renderer ? this.canvas : null),
      caption: () => `The run at ${formatValue(this.clock.time, "s")}`,
    },
    this.ended.signal,
  );

  constructor(
    readonly runs: Run[],
    root: HTMLElement,
    state: PageState | null = null,
  ) {
    const link = readLink();
    const run = (this.run = runs[0]);
    this.clock = new Clock(...findSpan(runs));
    const layers: Layers = { ...defaultLayers };
    if (run.header.joints.length > 0 && run.header.instances.length === 0) layers.joints = true;
    if (state) Object.assign(layers, state.layers);
    else if (link.layers) for (const key of Object.keys(layers) as (keyof Layers)[]) layers[key] = link.layers.includes(key);
    this.stage = new Stage(run, runs.slice(1), this.canvas, layers);
    this.tooltip = new Tooltip(run);
    this.plots = new Plots(runs, this.clock);
    this.player = new Player(runs, this.clock);
    state?.looks.forEach((look, body) => this.stage.bodies.setLook(body, look));
    this.layers = new LayerMenu(run, this.stage, runs.length - 1, () => {
      this.legend.refresh();
      this.invalidate();
    });
    this.legend = new Legend(run, runs.slice(1), () => this.stage.contacts, () => this.stage.layers.closest && !this.stage.closest.isEmpty);
    this.selectionPanel = new SelectionPanel(runs, this.clock, this.plots, {
      follow: (body) => this.follow(this.stage.follow === body ? -1 : body),
      select: (selection) => this.select(selection),
      showPlots: () => this.tabs.show("signals"),
    });
    const frameTime = (t: number, of: Run) => this.player.frameTime(t, of);
    this.events = runs.map((one) => new EventTable(one, this.clock, frameTime, runs.length > 1 ? one.header.name : null));
    this.audit = new AuditPanel(runs, this.clock, frameTime);
    this.tree = new SignalTree(listAllSeries(runs), this.plots);
    this.tabs = new Tabs([
      { id: "signals", label: "Signals", content: h("div", { class: "signals-panel" }, this.tree.element, this.plots.element), onShow: () => this.plots.showTime() },
      { id: "selection", label: "Selection", content: this.selectionPanel.element, onShow: () => this.selectionPanel.show() },
      { id: "events", label: this.eventLabel, content: h("div", {}, ...this.events.map((table) => table.element)) },
      { id: "audit", label: "Audit", content: this.audit.element, onShow: () => this.audit.show() },
      { id: "scene", label: "Scene", content: makeAbout(runs) },
    ]);
    this.build(root, link.bare);
    this.listen();
    if (state) this.restore(state);
    else {
      this.stage.followIfAllLeave();
      if (link.camera) this.setCamera(link.camera);
      if (link.time !== null) this.clock.seek(link.time);
      this.addContactPlot();
      this.addEnergyPlot();
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (link.time === null && !link.bare && !calm) this.clock.play();
    }
    this.selectionPanel.markFollowed(this.stage.follow);
    this.watch();
    this.invalidate();
  }

  get state(): PageState {
    const { clock, stage } = this;
    const { body, pair } = this.selectionPanel.selected;
    return {
      time: clock.time,
      atEnd: this.atEnd,
      speed: clock.speed,
      playing: clock.playing,
      camera: this.chosenCamera,
      follow: stage.follow,
      layers: { ...stage.layers },
      menuOpen: this.layers.element.open,
      looks: stage.bodies.allLooks,
      tab: this.tabs.shown,
      body: body >= 0 ? this.run.bodies[body].name : null,
      pair: pair >= 0 ? this.run.contacts!.pairName(pair) : null,
      plots: this.plots.state,
      treeWords: this.tree.words,
      treeOpen: [...this.tree.open],
      eventFilter: this.events[0].filter,
    };
  }
  private restore(state: PageState): void {
    this.clock.setSpeed(state.speed);
    this.clock.seek(state.atEnd ? this.clock.end : state.time);
    if (state.playing && !state.atEnd) this.clock.play();
    this.stage.update(this.clock.time);
    this.stage.setFollow(state.follow);
    if (state.camera) this.setCamera(state.camera);
    else this.stage.followIfAllLeave();
    this.layers.element.open = state.menuOpen;
    this.plots.restore(state.plots);
    this.tree.restore(state.treeWords, state.treeOpen);
    this.events[0].restore(state.eventFilter);
    const body = this.run.bodies.findIndex((one) => one.name === state.body);
    const pair = this.run.contacts?.pairs.findIndex((_, k) => this.run.contacts!.pairName(k) === state.pair) ?? -1;
    this.tabs.show(state.tab);
    this.select({ body, pair, point: 0 }, false);
  }
  /** Place and target of the camera; null where it shows everything by itself. */
  private get chosenCamera(): number[] | null {
    const { camera, controls, moved, follow } = this.stage;
    return moved || follow >= 0 ? [...camera.position.toArray(), ...controls.target.toArray()] : null;
  }
  private get atEnd(): boolean {
    return this.clock.time >= this.clock.end && !this.clock.playing;
  }
  private get eventLabel(): string {
    const count = this.runs.reduce((sum, run) => sum + Math.max(run.header.events.count, run.events.length), 0);
    return count > 0 ? `Events ${count}` : "Events";
  }

  private build(root: HTMLElement, bare: boolean): void {
    const { header } = this.run;
    // Of compared runs the worst is told.
    const worst = this.runs.reduce((a, b) => (levels.indexOf(b.header.verdict.level) > levels.indexOf(a.header.verdict.level) ? b : a));
    const { level } = worst.header.verdict;
    const reason = (this.runs.length > 1 ? `${worst.header.name}: ` : "") + describeVerdict(worst.header.verdict);
    const verdict = h("button", { type: "button", class: `verdict ${level}`, title: reason, onclick: () => this.tabs.show("audit") }, h("i", { class: "dot" }), h("span", {}, header.status === "running" ? "Running" : verdictWords[level]));
    const names = this.runs.length > 1 ? `${header.name} compared with ${this.runs.slice(1).map((run) => run.header.name).join(", ")}` : [header.paper, header.name].filter((word) => word !== "").join(" · ");
    const top = h(
      "header",
      { class: "top" },
      h("div", { class: "title" }, h("h1", {}, this.run.label), h("p", {}, names)),
      verdict,
      h("span", { class: "spring" }),
      button("Print", icons.print, () => this.paper.print()),
      button("Light or dark", icons.theme, () => this.switchTheme()),
      button("Help (?)", icons.help, () => this.help.showModal()),
    );
    const empty = header.instances.length === 0 && header.bodies.length <= 1 ? h("p", { class: "empty over" }, header.notes[0] ?? "This run recorded no bodies to show.") : null;
    if (bare && !this.stage.renderer) throw new Error(noPicture);
    const blank = this.stage.renderer ? null : h("p", { class: "empty over", role: "status" }, noPicture);
    const stage = h(
      "section",
      { class: "stage", "aria-label": "Replay" },
      h("div", { class: "view" }, this.canvas, blank ?? empty, h("div", { class: "corner" }, this.layers.element, button("Show everything (F)", icons.fit, () => this.fit())), this.legend.element, this.tooltip.element),
      this.player.element,
    );
    const panel = h("aside", { class: "panel", "aria-label": "Data" }, this.tabs.element);
    root.replaceChildren(top, h("main", {}, stage, makeSplitter(), panel), this.help);
    document.body.classList.toggle("bare", bare);
    const view = this.canvas.parentElement!;
    const resize = () => {
      this.stage.resize(view.clientWidth, view.clientHeight);
      this.invalidate();
    };
    new ResizeObserver(resize).observe(view);
    resize();
    this.stage.fit();
    this.stage.update(this.clock.time);
  }

  private listen(): void {
    this.clock.onChange(() => this.invalidate());
    this.stage.onCamera = () => this.invalidate();
    const { signal } = this.ended;
    document.addEventListener("keydown", (event) => this.press(event), { signal });
    let down = [0, 0];
    this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.pick(event.offsetX, event.offsetY);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons === 0 && this.hover(event.offsetX, event.offsetY));
    this.canvas.addEventListener("pointerleave", () => this.tooltip.hide());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme(), { signal });
    const follow = () => {
      const link = readLink();
      if (link.camera) this.setCamera(link.camera);
      if (link.time !== null) this.clock.seek(link.time);
    };
    window.addEventListener("hashchange", follow, { signal });
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const typing = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
    if (typing || target instanceof HTMLSelectElement) return;
    const pressing = target instanceof HTMLButtonElement || target.tagName === "SUMMARY" || (target instanceof HTMLInputElement && target.type === "checkbox");
    const actions: Record<string, () => unknown> = {
      k: () => this.clock.toggle(),
      j: () => this.player.step(-10),
      l: () => this.player.step(10),
      ArrowLeft: () => (event.shiftKey ? this.stage.turn(-keyTurn, 0) : this.player.step(-1)),
      ArrowRight: () => (event.shiftKey ? this.stage.turn(keyTurn, 0) : this.player.step(1)),
      "+": () => this.stage.zoom(1 / 1.1),
      "-": () => this.stage.zoom(1.1),
      n: () => this.player.jump(1),
      p: () => this.player.jump(-1),
      Home: () => this.clock.seek(this.clock.start),
      End: () => this.clock.seek(this.clock.end),
      "<": () => this.clock.changeSpeed(-1),
      ">": () => this.clock.changeSpeed(1),
      f: () => this.fit(),
      x: () => this.look(0),
      y: () => this.look(1),
      z: () => this.look(2),
      "?": () => this.help.showModal(),
      Escape: () => this.layers.close() || this.select(nothing),
    };
    if (event.shiftKey) Object.assign(actions, { ArrowUp: () => this.stage.turn(0, keyTurn), ArrowDown: () => this.stage.turn(0, -keyTurn) });
    if (event.key === " " && !pressing) actions[" "] = actions.k;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) action();
    else if (!this.layers.toggle(event.key.toUpperCase())) return;
    event.preventDefault();
  }

  private follow(body: number): void {
    this.stage.setFollow(body);
    this.selectionPanel.markFollowed(body);
    this.invalidate();
  }
  private fit(): void {
    this.follow(-1);
    this.stage.fit();
    this.invalidate();
  }
  private look(axis: number): void {
    const direction = new Vector3().setComponent(axis, axis === 1 ? -1 : 1);
    // Straight from above the picture would turn at random.
    direction.addScaledVector(new Vector3(0.001, 0.002, 0.003), 1);
    this.stage.look(direction);
    this.stage.moved = true;
    this.invalidate();
  }

  private pick(x: number, y: number): void {
    const { contact, body } = this.stage.pick(x, y);
    const { contacts } = this.run;
    if (contact >= 0 && contacts) this.select({ body: -1, pair: contacts.pair[contact], point: contacts.point[contact] });
    else if (body >= 0) this.select({ ...nothing, body });
    else this.select(nothing, false);
  }
  select(selection: Selection, show = true): void {
    this.stage.bodies.select(selection.body);
    this.stage.selectedPair = selection.pair;
    this.selectionPanel.select(selection);
    if (show && (selection.body >= 0 || selection.pair >= 0)) this.tabs.show("selection");
    this.invalidate();
  }

  private hover(x: number, y: number): void {
    const told = this.tooltip.show(this.stage.pick(x, y), x, y, this.canvas.clientWidth);
    this.canvas.style.cursor = told ? "pointer" : "grab";
  }

  // What an engineer looks at first: the forces of contacts, the energy.
  private addContactPlot(): void {
    const unit = this.run.header.step > 0 ? "N" : "N s";
    if (this.hasContactPlot || this.runs.every((run) => !run.contacts || run.contacts.pairs.length === 0)) return;
    this.hasContactPlot = true;
    this.plots.addPanel(...findPeakSeries(this.run), { name: `${contactPrefix}all contacts:normal force`, unit }, { name: `${contactPrefix}all contacts:friction force`, unit });
  }
  private addEnergyPlot(): void {
    const has = (name: string) => this.runs.some((run) => run.findSignal(name) >= 0);
    const energies = ["energy.kinetic", "energy.potential", "energy.total"].filter(has);
    if (energies.length > 0) this.plots.addPanel(...energies.map((name) => ({ name, unit: "J" })));
  }

  private switchTheme(): void {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    this.applyTheme();
  }
  private applyTheme(): void {
    this.stage.setTheme();
    this.plots.redraw();
    this.audit.redraw();
    this.selectionPanel.redraw();
    this.player.drawMarks();
    this.invalidate();
  }

  /** The run has grown: who looks at its end stays there. `all`: everything is brought up to date, which costs more than the picture. */
  grow(all: boolean): void {
    this.stage.motion.forget();
    this.clock.extend(this.run.end, this.atEnd);
    this.stage.grow(all);
    if (!all) return;
    this.addContactPlot();
    this.plots.refresh();
    this.tree.refresh(listAllSeries(this.runs));
    this.player.refresh();
    this.events[0].refresh();
    this.tabs.setLabel("events", this.eventLabel);
    this.legend.refresh();
    this.layers.refresh();
    this.selectionPanel.refresh();
    this.audit.refresh();
  }
  dispose(): void {
    this.ended.abort();
    this.stage.controls.dispose();
    this.stage.renderer?.dispose();
  }

  setCamera(numbers: number[]): void {
    this.stage.camera.position.set(numbers[0], numbers[1], numbers[2]);
    this.stage.controls.target.set(numbers[3], numbers[4], numbers[5]);
    this.stage.moved = true;
    this.stage.controls.update();
  }
  invalidate(): void {
    this.dirty = true;
  }
  drawNow(): void {
    this.stage.update(this.clock.time);
    this.stage.render();
    this.legend.showTime(this.clock.time);
    this.dirty = false;
  }
  // Once a picture of the screen; drawn only when something has changed. Where pictures take long, those of a growing run leave the
  // page half of the time to answer its user.
  private watch(): void {
    let drawn = 0;
    let rested = 0;
    const frame = (now: number) => {
      if (this.ended.signal.aborted) return;
      requestAnimationFrame(frame);
      this.clock.tick(now);
      if (drawn > 0) rested = now + Math.min(1000, now - drawn);
      drawn = 0;
      if (!this.dirty || (this.run.growing && !this.clock.playing && now < rested)) return;
      drawn = now;
      this.drawNow();
      writeLink(() => ({ time: this.clock.time, camera: this.chosenCamera }));
    };
    requestAnimationFrame(frame);
  }
}
