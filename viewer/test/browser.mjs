// Opens reports in headless chromium and uses them as a person would.
//   node browser.mjs PROGRAM FOLDER PART [SCENE or TEST]
// The part `runs` makes the runs and reports of scenes.mjs in the folder; the others use them, side by side if wanted:
// `reports` opens each, `more`, `page` and `picture` are the tests of browser_PART.mjs.
// Exit code 77 (skipped) where chromium is missing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { scenes } from "./scenes.mjs";

const [program, folder, part, only] = [resolve(process.argv[2]), resolve(process.argv[3]), process.argv[4], process.argv[5]];
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
function skip(why) {
  console.log(`SKIPPED: ${why}`);
  process.exit(77);
}
if (!executablePath) skip("chromium is missing (Debian package chromium)");
const { chromium } = await import("playwright-core").catch(() => skip("playwright-core is missing: npm ci failed when the program was built"));
const chosen = scenes.filter((scene) => !only || scene.name === only);
const stiction = (...words) => execFileSync(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }).toString();
if (part === "runs") {
  if (!only) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const scene of chosen) {
    rmSync(join(folder, scene.name), { recursive: true, force: true });
    stiction(...scene.run(folder), "--out", scene.name, "--quiet");
    stiction("view", scene.name, "-o", `${scene.name}.html`);
  }
  process.exit(0);
}
const browser = await chromium.launch({
  executablePath,
  timeout: 0,
  args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** A page that waits as long as the test may take: how busy the machine is decides nothing. */
async function newPage(options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(0);
  return page;
}

/** A page that fails the test on any console error and on any request but for the file itself. */
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 640 }, offline: true, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall") && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => !request.url().startsWith("file:") && !request.url().startsWith("data:") && !request.url().startsWith("blob:") && faults.push(`asked for ${request.url()}`));
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const start = Date.now();
  await page.goto(pathToFileURL(join(folder, file)).href + (options.hash ?? ""));
  await page.evaluate(() => window.stiction.ready);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const seconds = (Date.now() - start) / 1000;
  const { metrics } = await session.send("Performance.getMetrics");
  const work = metrics.find((metric) => metric.name === "TaskDuration").value;
  return { page, faults, seconds, work, close: () => context.close() };
}

/** The picture's pixels as a string, and how many different colours there are. */
async function look(page, name) {
  const shot = await page.locator("canvas.picture").screenshot({ path: join(folder, `${name}.png`) });
  const colors = await page.evaluate(async () => {
    const { app } = window.stiction;
    app.drawNow();
    const copy = document.createElement("canvas");
    copy.width = 120;
    copy.height = 90;
    const context = copy.getContext("2d");
    context.drawImage(app.stage.renderer.domElement, 0, 0, 120, 90);
    return new Set(new Uint32Array(context.getImageData(0, 0, 120, 90).data.buffer)).size;
  });
  return { pixels: shot.toString("base64"), colors };
}

const time = (page) => page.evaluate(() => window.stiction.app.clock.time);

/** Plays, scrubs, jumps, selects, plots: what every run must bear. */
async function useReport({ name, contacts, events }) {
  const { page, faults, seconds, work, close } = await open(`${name}.html`);
  // Seconds of the processor, which do not depend on what else the machine does.
  assert.ok(work < 3, `${name}: opening took ${work} s of work; 3 s is the promise`);

  const first = await look(page, `${name}-start`);
  assert.ok(first.colors > 30, `${name}: the picture has ${first.colors} colours: it is empty`);

  // Play: time goes on, and stops when told.
  await page.keyboard.press("k");
  await page.waitForFunction(() => window.stiction.app.clock.time > 0);
  await page.keyboard.press("k");
  const played = await time(page);
  await page.waitForTimeout(100);
  assert.equal(await time(page), played, `${name}: it plays on after it was stopped`);

  // Scrub to the middle of the slider: half of the duration.
  const slider = page.getByLabel("Time", { exact: true });
  await slider.fill("0.5");
  const end = await page.evaluate(() => window.stiction.app.clock.end);
  assert.ok(Math.abs((await time(page)) - end / 2) < 0.01 * end);
  const middle = await look(page, `${name}-middle`);
  assert.notEqual(middle.pixels, first.pixels, `${name}: the picture does not change`);

  // One frame on, and back.
  const before = await time(page);
  await page.keyboard.press("ArrowRight");
  assert.ok((await time(page)) > before);

  // To the first event: the frame at or after it.
  const event = await page.evaluate(() => window.stiction.runs[0].events.find((one) => one.t > 0)?.t);
  assert.equal(event !== undefined, events, `${name}: events`);
  if (events) {
    await page.keyboard.press("Home");
    await page.keyboard.press("n");
    const reached = await time(page);
    assert.ok(reached >= event && reached < event + 0.02, `${name}: the next event is at ${event} s, the replay at ${reached} s`);
  }
  if (contacts) await clickContact(page, name);

  // Find a signal and plot it: its canvas appears, and the chip tells its value.
  await page.getByRole("tab", { name: "Signals" }).click();
  await page.getByLabel("Find a signal").fill("energy.residual");
  await page.locator('[data-signal="energy.residual"]').click();
  await page.locator(".chip", { hasText: "energy.residual" }).waitFor();

  for (const tab of ["Events", "Audit", "Scene"]) {
    await page.getByRole("tab", { name: tab }).click();
    assert.ok((await page.locator("[role=tabpanel]:visible").innerText()).length > 20, `${name}: the panel ${tab} is empty`);
  }
  assert.deepEqual(faults, [], `${name}: the browser complained`);
  await close();
  console.log(`${name}: opened in ${seconds.toFixed(2)} s, ${work.toFixed(2)} s of work`);
}

/** Clicks the first contact that is in view and expects its table. */
async function clickContact(page, name) {
  const target = await page.evaluate(() => {
    const { app } = window.stiction;
    const { contacts, times } = window.stiction.runs[0];
    // The frame with the most contacts that bear.
    for (let frame = times.length - 1; frame >= 0; frame--) {
      const [from, to] = contacts.rows(frame);
      for (let row = from; row < to; row++) {
        if (contacts.normalImpulse(row) <= 0) continue;
        app.clock.seek(times[frame]);
        app.drawNow();
        const at = app.stage.camera.position.clone().set(contacts.position[0][row], contacts.position[1][row], contacts.position[2][row]).project(app.stage.camera);
        const box = app.stage.renderer.domElement.getBoundingClientRect();
        const [x, y] = [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
        if (x > box.left + 5 && x < box.right - 5 && y > box.top + 5 && y < box.bottom - 5 && document.elementFromPoint(x, y)?.tagName === "CANVAS") return { x, y };
      }
    }
    return null;
  });
  assert.ok(target, `${name}: no contact is in view`);
  await page.mouse.move(target.x, target.y);
  await page.locator(".tooltip").waitFor();
  await page.mouse.click(target.x, target.y);
  await page.getByText("contact, as recorded").waitFor();
  const table = await page.locator(".selection").innerText();
  assert.match(table, /normal impulse/);
  // Its plots are there at once, and drawn.
  await page.locator(".selection .plot", { hasText: "normal force" }).locator("canvas").first().waitFor();
  await page.getByRole("button", { name: "Plot forces" }).click();
}

if (part === "reports") {
  for (const scene of chosen) await useReport(scene);
} else {
  const { tests } = await import(`./browser_${part}.mjs`);
  const tools = { assert, newPage, existsSync, folder, join, look, open, readFileSync, stiction, time, writeFileSync };
  for (const test of tests.filter((one) => !only || one.name === only)) {
    const start = Date.now();
    await test(tools);
    console.log(`${test.name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}
await browser.close();
console.log(`${part}: in order`);
