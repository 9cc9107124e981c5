// The picture: what is in view, rods, arrows under the pointer, a browser that draws none.
import { rmSync } from "node:fs";
import { leaving, startLive } from "./live.mjs";

/** A body that leaves what was in view at the start stays in view, live and when the run has ended. */
async function keepInView(tools) {
  const { assert, newPage, folder, join } = tools;
  const { run, ended, address } = await startLive(tools, "leaving", leaving);
  const page = await newPage({ viewport: { width: 1100, height: 640 } });
  await page.goto(address);
  await page.evaluate(() => window.stiction.ready);
  // Where the ball at the end of the run is in the picture, in halves of its width.
  const place = () =>
    page.evaluate(() => {
      const { app, runs } = window.stiction;
      app.drawNow();
      const { numbers } = runs[0].bodies.find((body) => body.name === "ball").track;
      const [x, y, z] = numbers.slice(-7);
      return { x, seen: app.stage.camera.position.clone().set(x, y, z).project(app.stage.camera).x };
    });
  // At the start it is 0.3 m from the other. The picture follows what has come since the last one, so that it may be a
  // picture late: it comes into view, or the test does not end.
  await page.waitForFunction(() => window.stiction.runs[0].end > 500);
  let live = await place();
  while (Math.abs(live.seen) >= 1) live = await place();
  assert.ok(live.x > 1.2, `live: ${live.x} m away`);
  await page.screenshot({ path: join(folder, "leaving-live.png") });
  run.kill("SIGINT");
  assert.equal(await ended, 130);
  await page.getByText("Finished").waitFor();
  const whole = await place();
  assert.ok(Math.abs(whole.seen) < 1, `ended: ${whole.x} m away, in the picture at ${whole.seen}`);
  await page.screenshot({ path: join(folder, "leaving-ended.png") });
  await page.close();
}

/** Without WebGL there is a line in place of the picture, and everything else. */
async function goWithoutPicture({ assert, newPage, folder, join }) {
  const page = await newPage({ viewport: { width: 1100, height: 640 } });
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith("webgl") ? null : get.call(this, kind, ...more);
    };
  });
  await page.goto(`file://${join(folder, "falling_rod.html")}#t=0.3`);
  await page.evaluate(() => window.stiction.ready);
  await page.getByText("This browser has no WebGL 2").waitFor();
  await page.locator(".plot canvas").first().waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("n");
  await page.getByRole("tab", { name: "Audit" }).click();
  await page.locator(".checks").waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("img.paper").count(), 0);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await page.screenshot({ path: join(folder, "without-webgl.png") });
  assert.deepEqual(faults, []);
  await page.close();
}

/** A link with nothing but a point at its end is a rod from its joint to the point; a body that is a point is a dot; plane motion without gravity is seen from its side. */
async function showRods({ assert, folder, join, open, stiction }) {
  for (const name of ["pendulum_on_floor", "press", "recipe_4_4"]) {
    rmSync(join(folder, name), { recursive: true, force: true });
    stiction("examples", "run", name, "--set", "time.duration=0.02", "--out", name, "--quiet");
    stiction("view", name, "-o", `${name}.html`);
  }
  const look = async (name, body) => {
    const { page, faults, close } = await open(`${name}.html`);
    const seen = await page.evaluate((body) => {
      const { app, runs } = window.stiction;
      const holds = app.stage.motion.holds.get(runs[0].bodies.findIndex((one) => one.name === body)) ?? [];
      const direction = app.stage.camera.position.clone().sub(app.stage.controls.target).normalize();
      return { lengths: holds.map((hold) => hold.at.length()), direction: direction.toArray() };
    }, body);
    assert.deepEqual(faults, []);
    await close();
    return seen;
  };
  // The scene's own lengths: the point is 0.25 m below the elbow, the tip 0.3 m from the pivot.
  const lower = await look("pendulum_on_floor", "lower");
  assert.ok(lower.lengths.some((length) => Math.abs(length - 0.25) < 1e-6), `rods of the lower link: ${lower.lengths}`);
  const rocker = await look("press", "rocker");
  assert.ok(rocker.lengths.some((length) => Math.abs(length - 0.3) < 1e-6), `rods of the rocker: ${rocker.lengths}`);
  assert.ok(rocker.direction[2] > 0.9, `the press is seen along ${rocker.direction}`);
  assert.deepEqual((await look("falling_rod", "rod")).lengths, []);
  assert.deepEqual((await look("recipe_4_4", "pusher")).lengths, [0]);
}

/** A long arrow is hit all along its shaft, also between its quarters. */
async function pickArrows({ assert, open }) {
  const { page, close } = await open("four_balls.html", { hash: "#t=0.5" });
  const missed = await page.evaluate(() => {
    const { app, runs } = window.stiction;
    const { contacts, times } = runs[0];
    const { stage } = app;
    const missed = [];
    let tried = 0;
    for (let frame = 0; frame < times.length && tried < 5; frame++) {
      const [from, to] = contacts.rows(frame);
      app.clock.seek(times[frame]);
      app.drawNow();
      for (let row = from; row < to; row++) {
        const size = contacts.impulseSize(row);
        const length = stage.contacts.lengthOf(size);
        const at = (share) => {
          const p = stage.camera.position.clone();
          p.set(...[0, 1, 2].map((k) => contacts.position[k][row] + (share * length * contacts.impulse[k][row]) / size)).project(stage.camera);
          return [((p.x + 1) / 2) * stage.width, ((1 - p.y) / 2) * stage.height];
        };
        const pixels = Math.hypot(...at(1).map((v, k) => v - at(0)[k]));
        if (!(pixels > 120)) continue;
        tried++;
        for (let k = 0; k <= 40; k++) if (stage.pick(...at(k / 40)).contact < 0) missed.push(k / 40);
        break;
      }
    }
    return { tried, missed };
  });
  assert.ok(missed.tried > 0, "no arrow is long");
  assert.deepEqual(missed.missed, []);
  await close();
}

/** At the start every corner of everything that is drawn is in the picture. */
async function showEverything({ assert, open }) {
  for (const name of ["ball_in_cylinder", "falling_rod", "four_balls", "arm_on_plate", "thousand"]) {
    const { page, close } = await open(`${name}.html`);
    const farthest = await page.evaluate(() => {
      const { app } = window.stiction;
      app.drawNow();
      const { camera, bodies } = app.stage;
      let most = 0;
      for (const { solid, glass } of bodies.batches) {
        const place = solid.matrixWorld.clone();
        for (const mesh of [solid, glass]) {
          const vertices = mesh.geometry.getAttribute("position");
          for (let k = 0; k < mesh.count; k++) {
            mesh.getMatrixAt(k, place);
            if (place.determinant() === 0) continue;
            // From the mesh to the picture in one product: x and y over the fourth row.
            const { elements: m } = place.clone().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(place);
            for (let i = 0; i < vertices.count; i += mesh.count > 100 ? 7 : 1) {
              const [x, y, z] = [vertices.getX(i), vertices.getY(i), vertices.getZ(i)];
              const row = (r) => m[r] * x + m[r + 4] * y + m[r + 8] * z + m[r + 12];
              most = Math.max(most, Math.abs(row(0) / row(3)), Math.abs(row(1) / row(3)));
            }
          }
        }
      }
      return most;
    });
    assert.ok(farthest > 0.3 && farthest < 1, `${name}: the farthest corner is at ${farthest} of the picture's half`);
    await close();
  }
}

export const tests = [keepInView, goWithoutPicture, showRods, pickArrows, showEverything];
