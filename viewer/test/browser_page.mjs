// The page itself: what a live run brings, paper, keys, compared runs, the ledger.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { bouncing, startLive } from "./live.mjs";

/** Events, contacts and forces appear while the run goes on; when it ends all that the user has made of the page stays. */
async function growAndKeep(tools) {
  const { assert, newPage } = tools;
  const { run, ended, address } = await startLive(tools, "bouncing", bouncing);
  const page = await newPage({ viewport: { width: 1366, height: 768 } });
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(address);
  await page.evaluate(() => window.stiction.ready);

  // It is still going on.
  await page.locator(".live", { hasText: "Live" }).waitFor();
  await page.getByRole("tab", { name: /^Events \d+$/ }).waitFor();
  assert.equal(run.exitCode, null);
  await page.getByRole("tab", { name: /^Events/ }).click();
  await page.locator("td", { hasText: "floor/ball" }).first().waitFor();
  assert.ok(await page.locator(".legend").isVisible(), "no legend of the forces");
  assert.ok(await page.getByRole("button", { name: "Next event (N)" }).isEnabled());
  await page.getByRole("tab", { name: "Signals" }).click();
  await page.locator(".chip", { hasText: "all contacts: normal force" }).waitFor();
  await page.getByLabel("Find a signal").fill("floor / stone gap");
  await page.locator('[data-signal="contact:floor / stone:gap"]').click();
  await page.getByLabel("Find a signal").fill("");

  // What the user makes of it.
  await page.keyboard.press("Escape");
  await page.locator("canvas.picture").focus();
  await page.keyboard.press("2");
  await page.keyboard.press("9");
  const made = await page.evaluate(() => {
    const { app } = window.stiction;
    app.clock.seek(0.4);
    app.setCamera([1, -2, 0.7, 0, 0.1, 0.2]);
    app.plots.setZoom(0.2, 0.9);
    app.select({ body: 2, pair: -1, point: 0 });
    const { time, camera, layers, plots, body, tab } = app.state;
    return { time, camera: camera.map((x) => x.toFixed(6)), layers, plots, body, tab };
  });
  assert.deepEqual([made.layers.normals, made.layers.grid, made.body, made.tab], [true, false, "ball", "selection"]);
  run.kill("SIGINT");
  assert.equal(await ended, 130);
  await page.getByText("Finished").waitFor();
  const kept = await page.evaluate(() => {
    const { time, camera, layers, plots, body, tab } = window.stiction.app.state;
    return { time, camera: camera.map((x) => x.toFixed(6)), layers, plots, body, tab };
  });
  assert.deepEqual(kept, made);
  // And it is the whole run, as it was recorded.
  assert.equal(await page.evaluate(() => window.stiction.runs[0].header.status), "interrupted");
  assert.deepEqual(faults, []);
  await page.close();
}

/** Three runs: each has its name, its line and its value; differences are from the first. */
async function compareThree({ assert, folder, join, look, open, stiction }) {
  for (const [name, friction] of [["rough", 0.9], ["smooth", 0.05]]) {
    rmSync(join(folder, name), { recursive: true, force: true });
    stiction("examples", "run", "falling_rod", "--set", `contact."rod/floor".friction=${friction}`, "--out", name, "--quiet");
  }
  stiction("view", "falling_rod", "rough", "smooth", "-o", "three.html");
  const { page, faults, close } = await open("three.html", { hash: "#t=0.8" });
  await look(page, "three");
  const key = await page.locator(".key-line").first().innerText();
  for (const name of ["falling_rod", "rough", "smooth", "difference from falling_rod"]) assert.ok(key.includes(name), `${name} is not in the key: ${key}`);
  const verdicts = await page.locator(".verdict-line").allTextContents();
  assert.deepEqual(verdicts.map((line) => line.split(":")[0]), ["falling_rod", "rough", "smooth"]);
  const panel = await page.evaluate(() => {
    const { app, runs } = window.stiction;
    app.plots.addPanel({ name: "rod.position.x", unit: "m" });
    const { plot, values } = app.plots.panels.at(-1);
    const styles = plot.series.slice(1).map((one) => `${one.stroke()} ${one.dash}`);
    const [a, b, c] = runs.map((run) => run.valueAt(run.findSignal("rod.position.x"), app.clock.time));
    return { styles, texts: values[0].map((place) => place.textContent), differences: [b - a, c - a] };
  });
  // Three curves and two differences, no two drawn alike.
  assert.equal(panel.styles.length, 5);
  assert.equal(new Set(panel.styles).size, 5, panel.styles.join("; "));
  assert.equal(panel.texts.length, 3);
  // No ghost has a colour that could be a body's, and a selected body never keeps nearly its own: at least a fifth of red, green or blue apart.
  const nearest = await page.evaluate(() => {
    const { bodies, ghosts } = window.stiction.app.stage;
    const apart = (a, b) => Math.max(...a.toArray().map((v, k) => Math.abs(v - b.toArray()[k])));
    const color = bodies.colorOf(2).clone();
    bodies.select(2);
    bodies.batches[0].solid.getColorAt(bodies.batches[0].slots.findIndex((slot) => slot.body === 2), color);
    return { ghost: Math.min(...ghosts.map((ghost) => apart(ghost.colorOf(2), bodies.colorOf(2)))), selected: apart(color, bodies.colorOf(2)) };
  });
  assert.ok(nearest.ghost > 0.2 && nearest.selected > 0.2, JSON.stringify(nearest));
  // "0.123 m (+0.012)": the sign and three digits of the difference.
  panel.differences.forEach((difference, k) => {
    const told = Number(panel.texts[k + 1].match(/\((.*)\)/)[1].replace("−", "-"));
    assert.ok(Math.abs(told - difference) <= 0.006 * Math.abs(difference), `${panel.texts[k + 1]}: ${difference}`);
  });
  assert.deepEqual(faults, []);
  await close();
}

/** An impact between two samples is in the first plot. */
async function showPeaks({ assert, folder, join, open, stiction }) {
  rmSync(join(folder, "coarse"), { recursive: true, force: true });
  stiction("examples", "run", "slide_into_wall", "--set", "time.output=5 ms", "--out", "coarse", "--quiet");
  stiction("view", "coarse", "-o", "coarse.html");
  const { page, faults, close } = await open("coarse.html");
  const [peak, all] = await page.evaluate(() => window.stiction.app.plots.panels[0].plot.data.slice(1, 3).map((values) => Math.max(...values)));
  // m (1 + e) v1 / h = 3084.3 N in the step of the impact, stored to six digits; 19.62 N at the samples.
  assert.ok(Math.abs(peak - 3084.3) < 0.1, `the largest force of the first curve is ${peak} N`);
  assert.ok(all < 20);
  assert.deepEqual(faults, []);
  await close();
}

/** Arrows act on the body that moves, also where it is named first. */
async function pointAtWhatMoves({ assert, folder, join, open, stiction }) {
  rmSync(join(folder, "ball_first"), { recursive: true, force: true });
  const ball = 'mass = 1\nposition = [0, 0, 0.1]\nshape = { type = "sphere", radius = 0.1 }\n';
  const rest = '[body.floor]\nfixed = true\nshape = { type = "halfspace" }\n[contact.default]\nfriction = 0.5\n[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.1\n';
  writeFileSync(join(folder, "ball_first.toml"), `[body.ball]\n${ball}${rest}`);
  stiction("run", "ball_first.toml", "--out", "ball_first", "--quiet");
  stiction("view", "ball_first", "-o", "ball_first.html");
  const { page, faults, close } = await open("ball_first.html");
  const seen = await page.evaluate(() => {
    const { contacts } = window.stiction.runs[0];
    return { pair: contacts.pairName(0), recorded: contacts.impulse[2][0], side: window.stiction.app.stage.contacts.sideOf(0) };
  });
  assert.equal(seen.pair, "ball / floor");
  assert.ok(seen.recorded < 0 && seen.side * seen.recorded > 0, "the arrow points down, at the floor");
  assert.match(await page.locator(".legend").innerText(), /on the body that moves/);
  assert.deepEqual(faults, []);
  await close();
}

/** The second run is longer, finer and has signals that the first lacks: all of it is there. */
async function compareUnlike({ assert, folder, join, look, open, stiction }) {
  const scene = (name) => join(folder, name);
  for (const name of ["brief", "longer"]) rmSync(scene(name), { recursive: true, force: true });
  stiction("examples", "run", "falling_rod", "--set", "time.duration=0.5", "--set", "time.output=20 ms", "--set", 'record.signals=["energy.*"]', "--out", "brief", "--quiet");
  stiction("examples", "run", "falling_rod", "--set", "time.duration=1", "--set", "time.output=5 ms", "--out", "longer", "--quiet");
  stiction("view", "brief", "longer", "-o", "unlike.html");
  const { page, faults, close } = await open("unlike.html");
  const seen = await page.evaluate(() => {
    const { app, runs } = window.stiction;
    app.plots.addPanel({ name: "energy.kinetic", unit: "J" });
    const { plot } = app.plots.panels.at(-1);
    const [times, first, second, difference] = plot.data;
    // Every sample of the second run is a point of its curve, with the value that was recorded.
    const own = runs[1].values(runs[1].findSignal("energy.kinetic"));
    const lost = [...runs[1].signalTimes].filter((t, i) => second[times.findIndex((other) => Math.abs(other - t) < 1e-9)] !== own[i]).length;
    const after = times.map((t, i) => i).filter((i) => times[i] > runs[0].end + 1e-9);
    app.clock.seek(1);
    app.drawNow();
    return { end: app.clock.end, ends: runs.map((run) => run.end), lost, beyond: after.filter((i) => first[i] !== null || difference[i] !== null).length, after: after.length };
  });
  assert.deepEqual(seen.ends, [0.5, 1]);
  assert.equal(seen.end, 1, "the replay stops before the second run ends");
  assert.equal(seen.lost, 0, "samples of the second run are not in its curve");
  // 5 ms apart from 0.505 to 1 s: a hundred at least, with neither a first run nor a difference.
  assert.ok(seen.after >= 100, `${seen.after} points after the end of the first run`);
  assert.equal(seen.beyond, 0);
  await page.getByLabel("Find a signal").fill("rod.position.y");
  await page.locator('[data-signal="rod.position.y"]').click();
  await page.locator(".chip", { hasText: "not recorded" }).waitFor();
  assert.match(await page.locator(".legend").innerText(), /brief ended at 0\.5 s/);
  await look(page, "unlike");
  await page.getByRole("tab", { name: "Audit" }).click();
  assert.equal(await page.locator("table.checks").count(), 2);
  assert.equal(await page.getByRole("heading", { name: "brief: measures" }).count(), 1);
  assert.equal(await page.getByRole("heading", { name: "longer: energy ledger [J]" }).count(), 1);
  await page.screenshot({ path: join(folder, "unlike-audit.png") });
  await page.getByRole("tab", { name: /^Events/ }).click();
  assert.deepEqual(await page.locator(".events h2").allInnerTexts(), ["brief", "longer"]);
  assert.deepEqual(faults, []);
  await close();
}

/** Brightness of the pages of a PDF file, 0 to 1, by an independent program. */
function measurePages(file) {
  const bytes = execFileSync("/usr/bin/pdftoppm", ["-gray", "-r", "20", file], { maxBuffer: 1 << 26 });
  const pages = [];
  for (let at = 0; at < bytes.length; ) {
    const [head, width, height] = bytes.subarray(at, at + 40).toString("latin1").match(/^P5\s+(\d+)\s+(\d+)\s+255\s/);
    const pixels = bytes.subarray(at + head.length, at + head.length + width * height);
    pages.push(pixels.reduce((sum, v) => sum + v, 0) / (255 * pixels.length));
    at += head.length + width * height;
  }
  return pages;
}

/** A dark page on light paper, and dark again. */
async function printFromDark({ assert, existsSync, folder, join, open }) {
  const { page, faults, close } = await open("falling_rod.html", { colorScheme: "dark", hash: "#t=0.5" });
  // Whether the lines of plots are of a light page: the colour of the words at the axes.
  const ink = () => page.evaluate(() => window.stiction.app.plots.panels[0].plot.axes[0].stroke());
  const dark = await ink();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const light = await ink();
  assert.notEqual(light, dark, "plots keep the colours of the dark page");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  const widths = await page.evaluate(() => [...document.querySelectorAll(".panel .uplot")].map((one) => one.offsetWidth));
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await ink(), dark, "the page does not get dark again");
  assert.equal(await page.locator("img.paper").count(), 0);
  assert.ok(widths.length > 3);
  await page.pdf({ path: join(folder, "dark.pdf"), format: "A4" });
  if (existsSync("/usr/bin/pdftoppm")) {
    const pages = measurePages(join(folder, "dark.pdf"));
    assert.ok(pages.length > 1);
    // Ink covers far less than a third of any page; of a dark page it covers nearly all.
    for (const brightness of pages) assert.ok(brightness > 0.7, `pages of brightness ${pages.map((x) => x.toFixed(2))}`);
  }
  assert.deepEqual(faults, []);
  await close();
}

/** Escape closes the menu first, then clears the selection; the help names every key. */
async function useKeys({ assert, open }) {
  const { page, faults, close } = await open("falling_rod.html");
  await page.evaluate(() => window.stiction.app.select({ body: 1, pair: -1, point: 0 }));
  const menu = page.locator("details.layers");
  await page.locator("details.layers summary").first().click();
  assert.doesNotMatch(await menu.innerText(), /records no /, "the run has all layers, and the menu names none");
  await page.getByLabel("Shadows").focus();
  await page.keyboard.press("Escape");
  assert.equal(await menu.getAttribute("open"), null, "the menu stays open");
  assert.equal(await page.evaluate(() => window.stiction.app.state.body), "floor");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => window.stiction.app.state.body), null);
  await page.keyboard.press("?");
  const help = await page.locator("dialog.help").innerText();
  for (const key of ["G", "Esc", "X, Y, Z", "N, P"]) assert.ok(help.includes(key), key);
  await page.keyboard.press("Escape");
  // Shift with arrows turns by an eighth of a right angle, + and - zoom by a tenth and back.
  const place = () =>
    page.evaluate(() => {
      const { camera, controls, up } = window.stiction.app.stage;
      const away = camera.position.clone().sub(controls.target);
      const flat = away.clone().addScaledVector(up, -away.dot(up));
      return { distance: away.length(), flat: flat.normalize().toArray(), height: away.dot(up) / away.length(), time: window.stiction.app.clock.time };
    });
  const before = await place();
  await page.keyboard.press("Shift+ArrowLeft");
  const turned = await place();
  const cosine = before.flat.reduce((sum, v, k) => sum + v * turned.flat[k], 0);
  assert.ok(Math.abs(Math.acos(cosine) - Math.PI / 16) < 1e-6, `turned by ${Math.acos(cosine)}`);
  assert.equal(turned.time, before.time, "turning steps through the run");
  await page.keyboard.press("Shift+ArrowUp");
  const raised = await place();
  assert.ok(Math.abs(Math.asin(raised.height) - Math.asin(turned.height) - Math.PI / 16) < 1e-6);
  await page.keyboard.press("+");
  assert.ok(Math.abs((await place()).distance - raised.distance / 1.1) < 1e-9);
  await page.keyboard.press("-");
  assert.ok(Math.abs((await place()).distance - raised.distance) < 1e-9);
  // A button that stays down says so, and no value that changes with the time is read out.
  await page.evaluate(() => window.stiction.app.select({ body: 2, pair: -1, point: 0 }));
  const follow = page.getByRole("button", { name: "Follow" });
  await follow.click();
  assert.equal(await follow.getAttribute("aria-pressed"), "true");
  await page.keyboard.press("f");
  assert.equal(await follow.getAttribute("aria-pressed"), "false");
  assert.equal(await page.locator("output").count(), 0);
  // The ledger tells its values at the time of the replay: kinetic energy as the signal has it.
  await page.getByRole("tab", { name: "Audit" }).click();
  await page.evaluate(() => window.stiction.app.clock.seek(0.3));
  const told = await page.locator(".charts .chip", { hasText: "kinetic" }).locator(".now").innerText();
  const kinetic = await page.evaluate(() => window.stiction.runs[0].valueAt(window.stiction.runs[0].findSignal("energy.kinetic"), 0.3));
  assert.ok(Math.abs(parseFloat(told) - kinetic) < 1e-3 * kinetic, `${told} for ${kinetic}`);
  assert.deepEqual(faults, []);
  await close();
}

/** A driven arm, whose controller takes energy: what it has and has lost lies on what it had and was fed, up to the residual that the run itself recorded. */
async function balanceLedger({ assert, open }) {
  const { page, faults, close } = await open("arm_on_plate.html");
  await page.getByRole("tab", { name: "Audit" }).click();
  const seen = await page.evaluate(() => {
    const [run] = window.stiction.runs;
    const { data, plot } = window.stiction.app.audit.charts.drawn[0];
    const values = (name) => run.values(run.findSignal(`energy.${name}`));
    // Drawn first is the top of the stack, drawn last the line.
    const [top, line] = [plot.data[1], plot.data.at(-1)];
    return { label: data.lines.at(-1).label, input: Math.max(...values("input").map(Math.abs)), residual: Math.max(...values("residual").map(Math.abs)), change: Math.max(...line.map((v) => Math.abs(v - line[0]))), apart: Math.max(...top.map((v, i) => Math.abs(v - line[i]))) };
  });
  assert.equal(seen.label, "energy at start + input");
  assert.ok(seen.input > 0.1 && Math.abs(seen.change - seen.input) < 1e-6 * seen.input, `input ${seen.input}, the line changes by ${seen.change}`);
  // Signals are stored to six digits: eight of them add up to some 1e-5 of the input.
  assert.ok(seen.apart < seen.residual + 1e-5 * seen.input, `top and line are ${seen.apart} J apart`);
  assert.deepEqual(faults, []);
  await close();
}

export const tests = [growAndKeep, compareThree, showPeaks, pointAtWhatMoves, compareUnlike, printFromDark, useKeys, balanceLedger];
