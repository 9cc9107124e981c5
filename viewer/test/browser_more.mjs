// What only some reports need: comparing, links, hostile runs, paper, the live view.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { startLive } from "./live.mjs";

/** Two runs: the second as a ghost, both curves and their difference. */
async function compareRuns({ assert, folder, join, open, stiction, look }) {
  rmSync(join(folder, "slippery"), { recursive: true, force: true });
  stiction("examples", "run", "falling_rod", "--set", "contact.\"rod/floor\".friction=0.1", "--out", "slippery", "--quiet");
  stiction("view", "falling_rod", "slippery", "-o", "compare.html");
  const { page, faults, close } = await open("compare.html", { hash: "#t=0.9" });
  const both = await look(page, "compare");
  await page.evaluate(() => window.stiction.app.layers.set("ghost", false));
  const alone = await look(page, "compare-alone");
  assert.notEqual(both.pixels, alone.pixels, "the other run is not drawn");
  // A plot of three energies: 3 signals, each with two curves and a difference.
  const curves = await page.evaluate(() => window.stiction.app.plots.panels.map((panel) => panel.plot.series.length - 1));
  assert.ok(curves.includes(9), `curves in the plots: ${curves}`);
  // The difference is what subtraction gives.
  const worst = await page.evaluate(() => {
    const panel = window.stiction.app.plots.panels.find((one) => one.names.includes("energy.kinetic"));
    const [, a, b, difference] = panel.plot.data;
    return Math.max(...a.map((v, i) => Math.abs(b[i] - v - difference[i])));
  });
  assert.equal(worst, 0);
  assert.deepEqual(faults, []);
  await close();
}

/** A link keeps time and camera; two reports of one run are the same bytes. */
async function keepLink({ assert, folder, join, open, readFileSync, stiction, time }) {
  stiction("view", "falling_rod", "-o", "again.html");
  assert.ok(readFileSync(join(folder, "again.html")).equals(readFileSync(join(folder, "falling_rod.html"))), "two reports of one run differ");
  const text = readFileSync(join(folder, "again.html"), "utf8");
  for (const owner of ["three.js authors", "Leon Sorokin"]) assert.ok(text.includes(`Copyright`) && text.includes(owner), `no licence of ${owner}`);
  assert.equal(text.split("Permission is hereby granted, free of charge").length, 3, "the MIT licence is not there twice, for three.js and uPlot");
  const { page, faults, close } = await open("falling_rod.html", { hash: "#t=0.25&camera=1,2,3,0,0.5,0" });
  assert.equal(await time(page), 0.25);
  const place = await page.evaluate(() => window.stiction.app.stage.camera.position.toArray());
  [1, 2, 3].forEach((x, k) => assert.ok(Math.abs(place[k] - x) < 1e-6));
  await page.keyboard.press("End");
  await page.waitForFunction(() => location.hash.includes("t=1&"));
  // Layers by key: friction cones appear in the picture's list of things drawn.
  await page.keyboard.press("4");
  assert.equal(await page.evaluate(() => window.stiction.app.stage.layers.cones), true);
  // On paper: the audit and the scene's text are there, the buttons are not.
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("img.paper").isVisible(), "no picture on paper");
  assert.ok(await page.locator("#panel-audit").isVisible());
  assert.ok(await page.locator("#panel-scene").isVisible());
  assert.ok(!(await page.locator(".player").isVisible()));
  assert.deepEqual(faults, []);
  await close();
}

/** Runs with names that are markup, numbers that are none, signals that are missing. */
async function bearHostileRuns({ assert, folder, open, stiction }) {
  const script = new URL("make_hostile.py", import.meta.url).pathname;
  execFileSync("/usr/bin/python3", [script, "falling_rod"], { cwd: folder });
  for (const [name, words] of [
    ["markup", "<img src=x onerror=alert(1)>"],
    ["nan", "not finite"],
    ["missing", "was not recorded"],
  ]) {
    stiction("view", `hostile_${name}`, "-o", `hostile_${name}.html`);
    const { page, faults, close } = await open(`hostile_${name}.html`);
    await page.getByRole("tab", { name: name === "markup" ? "Selection" : "Scene" }).click();
    if (name === "markup") await page.evaluate(() => window.stiction.app.select({ body: -1, pair: 0, point: 0 }));
    const text = await page.locator("[role=tabpanel]:visible").innerText();
    assert.ok(text.includes(words), `${name}: "${words}" is not on the page: ${text.slice(0, 300)}`);
    assert.equal(await page.evaluate(() => document.querySelectorAll("img, iframe, script[src]").length), 0);
    assert.deepEqual(faults, [], name);
    await close();
  }
  // A damaged file is told by the program, and no page is written.
  let said = "";
  try {
    stiction("view", "hostile_truncated", "-o", "hostile_truncated.html");
  } catch (error) {
    assert.equal(error.status, 5);
    said = error.stderr.toString();
  }
  assert.match(said, /damaged|not a run database/);
}

function ask(address, path, headers = {}, method = "GET") {
  const { hostname, port } = new URL(address);
  return new Promise((done, fail) => {
    const request = http.request({ hostname, port, path, method, headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    request.on("error", fail);
    request.end();
  });
}

/** The live view: refuses what is not meant for it, streams while the run goes, ends as the whole report. */
async function watchLive(tools) {
  const { assert, newPage } = tools;
  const scene = '[world]\ngravity = [0, -9.81, 0]\n[time]\nduration = 100000\nstep = "20 us"\noutput = "10 ms"\n[method]\ntype = "smooth"\n[body.mass]\nmass = 2\nshape = { type = "box", size = [0.1, 0.1, 0.1] }\n[joint.rail]\ntype = "prismatic"\nchild = "mass"\naxis = [1, 0, 0]\nposition = 0.2\n[spring.coil]\ntype = "linear"\na = "world"\nat_a = [-1, 0, 0]\nb = "mass"\nstiffness = 200\nrest_length = 1\n';
  const { run, ended, address } = await startLive(tools, "long", scene);
  const { host, port, search } = new URL(address);
  // Many who connect and say nothing, or only half of it, keep nobody out: as long as answers are awaited there are forty of
  // them, one after the other where the server sends them away (after five seconds, never before).
  let awaited = true;
  const passed = [];
  const keepSilent = (k) =>
    new Promise((done) => {
      const since = Date.now();
      const socket = net.connect(Number(port), "127.0.0.1", () => k % 2 && socket.write("GET / HTTP/1.1\r\nHost:"));
      socket.on("error", () => {}).resume().on("close", () => {
        passed.push(Date.now() - since);
        done(awaited ? keepSilent(k) : undefined);
      });
    });
  const silent = Array.from({ length: 40 }, (_, k) => keepSilent(k));
  assert.equal(await ask(address, `/${search}`), 200);
  assert.equal(await ask(address, `/?token=${"0".repeat(32)}`), 403, "wrong token");
  assert.equal(await ask(address, "/"), 403, "no token");
  assert.equal(await ask(address, `/${search}`, { Host: "evil.example" }), 403, "wrong Host");
  assert.equal(await ask(address, `/${search}`, { Host: host, Origin: "http://evil.example" }), 403, "wrong Origin");
  assert.equal(await ask(address, `/${search}`, {}, "POST"), 405, "not GET");
  for (const path of [`/../run.sqlite${search}`, `/..%2f..%2fetc/passwd${search}`, `//etc/passwd${search}`, `/run.sqlite${search}`]) {
    assert.equal(await ask(address, path), 404, path);
  }

  awaited = false;
  await Promise.all(silent);
  for (const time of passed) assert.ok(time > 4000, `sent away after ${time} ms`);

  const page = await newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("request", (request) => !request.url().startsWith(`http://${host}/`) && !request.url().startsWith("data:") && faults.push(`asked for ${request.url()}`));
  await page.goto(address);
  await page.evaluate(() => window.stiction.ready);
  const count = () => page.evaluate(() => window.stiction.runs[0].times.length);
  await page.waitForFunction(() => window.stiction.runs[0].times.length > 5);
  const first = await count();
  await page.waitForFunction((before) => window.stiction.runs[0].times.length > before, first);
  run.kill("SIGINT");
  assert.equal(await ended, 130);
  await page.getByText("Finished").waitFor();
  // The whole run as it was recorded: a sample every 10 ms.
  const [samples, end] = await page.evaluate(() => [window.stiction.runs[0].header.samples, window.stiction.runs[0].end]);
  assert.ok(Math.abs(samples - (end / 0.01 + 1)) < 2, `${samples} samples up to ${end} s`);
  assert.deepEqual(faults, []);
  await assert.rejects(ask(address, `/${search}`), "the server lives on after its run");
  await page.close();
}

/** Pictures without a browser window: two times differ, a movie has its pictures, the gallery its cards. */
async function takePictures({ assert, existsSync, folder, join, open, readFileSync, stiction }) {
  const size = ["--size", "320x240"];
  stiction("snapshot", "falling_rod", "--time", "0.1", "-o", "early.png", ...size);
  stiction("snapshot", "falling_rod", "-o", "late.png", ...size);
  const [early, late] = ["early.png", "late.png"].map((file) => readFileSync(join(folder, file)));
  assert.equal(early.subarray(1, 4).toString(), "PNG");
  // Width and height stand at bytes 16 and 20 of a PNG file.
  assert.deepEqual([early.readUInt32BE(16), early.readUInt32BE(20)], [320, 240]);
  assert.ok(!early.equals(late), "two times give one picture");

  if (existsSync("/usr/bin/ffprobe")) {
    // One second at four pictures a second, both ends included: five.
    stiction("movie", "falling_rod", "--rate", "4", "-o", "rod.mp4", ...size);
    const probe = ["-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames,codec_name", "-of", "csv=p=0", join(folder, "rod.mp4")];
    assert.match(execFileSync("/usr/bin/ffprobe", probe).toString(), /^h264,5/);
  } else console.log("movie: SKIPPED, ffmpeg is missing");

  stiction("examples", "gallery", "-o", "gallery", "--only", "falling_rod");
  assert.equal(readFileSync(join(folder, "gallery/falling_rod.png")).subarray(1, 4).toString(), "PNG");
  const { page, faults, close } = await open("gallery/falling_rod.html");
  await page.goto(new URL("index.html", page.url()).href);
  await page.getByRole("link", { name: "Falling rod" }).click();
  await page.evaluate(() => window.stiction.ready);
  assert.deepEqual(faults, []);
  await close();
}

/** Patches with volume: ellipse, pressure and moment, named in the legend, and gone with their layers. */
async function showPatches({ assert, folder, join, open, stiction, look }) {
  rmSync(join(folder, "patches"), { recursive: true, force: true });
  stiction("examples", "run", "sliding_box", "--set", "time.duration=0.3", "--out", "patches", "--quiet");
  stiction("view", "patches", "-o", "patches.html");
  const { page, faults, close } = await open("patches.html", { hash: "#t=0.2" });
  const legend = await page.locator(".legend").innerText();
  // 2 kg on 0.1 m x 0.08 m, from the depth of rest on: 2452.5 Pa, told to three digits.
  const told = /mean pressure up to ([\d.]+) Pa/.exec(legend);
  assert.ok(told && Math.abs(told[1] / 2452.5 - 1) < 5e-3, legend);
  assert.match(legend, /moment of rolling and spin/);
  const shown = await look(page, "patches");
  for (const layer of ["points", "forces"]) {
    await page.evaluate((name) => window.stiction.app.layers.set(name, false), layer);
    const hidden = await look(page, `patches-without-${layer}`);
    assert.notEqual(shown.pixels, hidden.pixels, `${layer} are not drawn`);
    await page.evaluate((name) => window.stiction.app.layers.set(name, true), layer);
  }
  assert.deepEqual(faults, []);
  await close();
}

/** Closest points of pairs that are apart: drawn, named in the legend, and switched off. */
async function showClosestPoints({ assert, folder, join, open, stiction, look }) {
  rmSync(join(folder, "ellipsoids"), { recursive: true, force: true });
  stiction("examples", "run", "two_ellipsoids", "--set", "time.duration=0.3", "--out", "ellipsoids", "--quiet");
  stiction("view", "ellipsoids", "-o", "ellipsoids.html");
  const { page, faults, close } = await open("ellipsoids.html", { hash: "#t=0.05" });
  const shown = await look(page, "closest");
  assert.match(await page.locator(".legend").innerText(), /closest points/);
  // Three pairs, at each of two points a normal and two tangents.
  const count = () => page.evaluate(() => window.stiction.app.stage.closest.group.children.map((mesh) => (mesh.visible ? mesh.count : 0)));
  assert.deepEqual((await count()).sort((a, b) => a - b), [3, 6, 18, 18]);
  await page.keyboard.press("c");
  const hidden = await look(page, "closest-hidden");
  assert.notEqual(shown.pixels, hidden.pixels, "closest points are not drawn");
  assert.doesNotMatch(await page.locator(".legend").innerText(), /closest points/);
  assert.deepEqual(faults, []);
  await close();
  // A run that does not record them does not offer them.
  const other = await open("falling_rod.html");
  assert.equal(await other.page.locator('[data-layer="closest"]').count(), 0);
  await other.close();
}

export const tests = [showPatches, showClosestPoints, compareRuns, keepLink, bearHostileRuns, takePictures, watchLive];
