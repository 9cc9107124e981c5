// The 3D picture: camera, light, and what is drawn.
import { ACESFilmicToneMapping, Color, DirectionalLight, HemisphereLight, PCFShadowMap, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { findInstant, type Run } from "../data/run";
import { Bodies } from "./bodies";
import { ClosestMarks } from "./closest_marks";
import { ContactMarks, type ContactLayers } from "./contact_marks";
import { Ground } from "./ground";
import { MotionMarks, type MotionLayers } from "./motion_marks";
import { listOutline } from "./outline";
import { runColor, sceneColors } from "./theme";

export interface Layers extends ContactLayers, MotionLayers {
  closest: boolean;
  grid: boolean;
  shadows: boolean;
  ghost: boolean;
}

export interface Picked {
  body: number; // -1: none
  contact: number; // row of the contacts; -1: none
}

export class Stage {
  /** null: the browser has no WebGL. All but the picture works. */
  readonly renderer: WebGLRenderer | null;
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly bodies: Bodies;
  readonly contacts: ContactMarks;
  readonly closest: ClosestMarks;
  readonly motion: MotionMarks;
  readonly layers: Layers;
  /** A body that the camera stays with; -1: none. */
  follow = -1;
  /** Has the user chosen from where to look? */
  moved = false;
  selectedPair = -1;
  onCamera: () => void = () => {};
  private readonly scene = new Scene();
  private ground: Ground;
  /** Size of the scene for which the ground was made. */
  private groundSize: number;
  private readonly ghosts: Bodies[];
  private readonly center: Vector3;
  private readonly up: Vector3;
  private readonly sun = new DirectionalLight(0xffffff, 2.3);
  private readonly lastFollowed = new Vector3();
  private width = 1;
  private height = 1;

  constructor(
    private readonly run: Run,
    others: Run[],
    canvas: HTMLCanvasElement,
    layers: Layers,
  ) {
    this.layers = layers;
    this.center = new Vector3(...run.header.center);
    this.up = chooseUp(run);
    this.renderer = makeRenderer(canvas);

    this.groundSize = run.header.size;
    this.ground = new Ground(run, this.center, this.groundSize, this.up);
    this.bodies = new Bodies(run);
    this.ghosts = others.map((other, k) => new Bodies(other, new Color(runColor(k + 1))));
    this.contacts = new ContactMarks(run);
    this.closest = new ClosestMarks(run);
    this.motion = new MotionMarks(run, this.bodies);
    this.scene.add(this.ground.group, this.bodies.group, this.contacts.group, this.closest.group, this.motion.group);
    for (const ghost of this.ghosts) this.scene.add(ghost.group);
    this.addLights();

    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    let held = false;
    this.controls.addEventListener("start", () => (held = true));
    this.controls.addEventListener("end", () => (held = false));
    this.controls.addEventListener("change", () => {
      this.moved ||= held;
      this.onCamera();
    });
    this.rescale();
    this.setTheme();
  }

  // Ranges of camera and light for the size of the scene.
  private rescale(): void {
    const { size } = this.run.header;
    this.camera.near = 0.005 * size;
    this.camera.far = 60 * size;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.02 * size;
    this.controls.maxDistance = 30 * size;
    const side = Math.abs(this.up.z) > 0.5 ? new Vector3(0.55, -0.5, 0) : new Vector3(-0.5, 0, 0.6);
    this.sun.target.position.copy(this.center);
    this.sun.position.copy(this.center).addScaledVector(this.up, 3 * size).addScaledVector(side, 3 * size);
    this.sun.shadow.normalBias = 0.004 * size;
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -1.7 * size;
    box.right = box.top = 1.7 * size;
    box.near = 0.1 * size;
    box.far = 9 * size;
    box.updateProjectionMatrix();
  }

  private addLights(): void {
    const sky = new HemisphereLight(0xffffff, 0xb8bec8, 1.5);
    sky.position.copy(this.up);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0005;
    this.scene.add(sky, this.sun, this.sun.target);
  }

  setTheme(): void {
    const colors = sceneColors();
    this.scene.background = colors.background;
    this.ground.setColors(colors);
    this.bodies.setColors(colors);
    for (const ghost of this.ghosts) ghost.setColors(colors);
    this.motion.lineColor = colors.edge;
  }

  /** The run has grown: what is drawn is measured anew, and stays in view as long as nobody has chosen another one. */
  grow(all: boolean): void {
    if (!all && (this.moved || this.follow >= 0 || this.showsEnd())) return;
    const { size, center } = this.run.header;
    this.center.set(...center);
    this.contacts.measure();
    this.rescale();
    if (size > 1.3 * this.groundSize) {
      this.groundSize = size;
      this.scene.remove(this.ground.group);
      this.ground.dispose();
      this.ground = new Ground(this.run, this.center, size, this.up);
      this.ground.setColors(sceneColors());
      this.scene.add(this.ground.group);
    }
    if (!this.moved && this.follow < 0 && !this.shows(this.listPoints())) this.fit(1.3);
  }
  private shows(points: Vector3[]): boolean {
    this.camera.updateMatrixWorld();
    return points.every((point) => {
      const { x, y, z } = point.project(this.camera);
      return z < 1 && Math.abs(x) < 0.95 && Math.abs(y) < 0.95;
    });
  }
  // The bodies where they have come to: far less work than all they have done.
  private showsEnd(): boolean {
    return this.shows(this.run.bodies.filter((body) => !body.fixed).map(({ track: { numbers } }) => new Vector3().fromArray(numbers, numbers.length - 7)));
  }
  // Where bodies come to.
  private listPoints(): Vector3[] {
    const reach = 1.5 * this.run.header.size;
    return [this.run, ...this.ghosts.map((ghost) => ghost.source)].flatMap((run) => listOutline(run, this.center, reach));
  }

  /** Show everything, from a side from which it can be judged. `room`: from so many times the distance that it needs. */
  fit(room = 1): void {
    this.moved = false;
    const axis = this.run.header.planarAxis;
    const direction = new Vector3();
    if (axis >= 0 && Math.abs(this.up.getComponent(axis)) < 0.5) {
      direction.setComponent(axis, 1);
      // Looking against z shows x to the right; against y that is so from the other side.
      if (axis === 1) direction.negate();
      direction.addScaledVector(this.up, 0.18);
    } else {
      // From the side from which more walls are seen.
      const sides = [0.65, -0.65].map((x) => (Math.abs(this.up.z) > 0.5 ? new Vector3(x, -1, 0) : new Vector3(x, 0, 1)));
      const [right, left] = sides.map((side) => side.addScaledVector(this.up, 0.55));
      direction.copy(this.ground.countSeen(left) > this.ground.countSeen(right) ? left : right);
    }
    this.look(direction, room);
  }
  /** From a direction, with everything that bodies do in view and in the middle. */
  look(direction: Vector3, room = 1): void {
    this.center.set(...this.run.header.center);
    const points = this.listPoints();
    if (this.layers.forces) points.push(...this.contacts.listTips());
    const back = direction.clone().normalize();
    const right = new Vector3().crossVectors(this.up, back).normalize();
    const top = new Vector3().crossVectors(back, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) * 0.82;
    const wide = tall * this.camera.aspect;
    const target = this.center.clone();
    const p = new Vector3();
    let distance = 0;
    // Each round moves the target to the middle of what is seen from there.
    for (let round = 0; round < 3; round++) {
      distance = 0.1 * this.run.header.size;
      const [low, high] = [new Vector2(Infinity, Infinity), new Vector2(-Infinity, -Infinity)];
      for (const at of points) {
        p.subVectors(at, target);
        const [x, y, z] = [p.dot(right), p.dot(top), p.dot(back)];
        distance = Math.max(distance, z + Math.abs(x) / wide, z + Math.abs(y) / tall);
        low.set(Math.min(low.x, x), Math.min(low.y, y));
        high.set(Math.max(high.x, x), Math.max(high.y, y));
      }
      if (points.length > 0 && round < 2) target.addScaledVector(right, (low.x + high.x) / 2).addScaledVector(top, (low.y + high.y) / 2);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(back, room * distance);
    this.controls.update();
  }

  /** About what is looked at [rad]: to the left, and up as far as straight from above. */
  turn(left: number, up: number): void {
    const away = this.camera.position.clone().sub(this.controls.target);
    const height = Math.asin(away.dot(this.up) / away.length());
    const right = new Vector3().crossVectors(this.up, away).normalize();
    const most = Math.PI / 2 - 0.01;
    away.applyAxisAngle(right, height - Math.min(most, Math.max(-most, height + up))).applyAxisAngle(this.up, left);
    this.place(away);
  }
  /** To so many times the distance. */
  zoom(factor: number): void {
    this.place(this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor));
  }
  private place(away: Vector3): void {
    this.camera.position.copy(this.controls.target).add(away);
    this.moved = true;
    this.controls.update();
  }

  resize(width: number, height: number): void {
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.renderer?.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer?.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
  }

  update(time: number): void {
    const at = findInstant(this.run.times, time);
    this.bodies.update(at);
    // Contacts are shown as recorded: those of the frame reached last.
    this.contacts.update(at.i, this.layers, this.selectedPair);
    this.closest.update(time, this.layers.closest);
    this.motion.update(at, time, this.layers);
    this.ghosts.forEach((ghost) => {
      ghost.group.visible = this.layers.ghost;
      if (this.layers.ghost) ghost.update(findInstant(ghost.source.times, time));
    });
    this.ground.group.visible = this.layers.grid;
    this.sun.castShadow = this.layers.shadows;
    this.updateFollow();
  }

  private updateFollow(): void {
    if (this.follow < 0) return;
    const now = new Vector3().setFromMatrixPosition(this.bodies.poses[this.follow]);
    const moved = now.clone().sub(this.lastFollowed);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    this.lastFollowed.copy(now);
    this.bringAlong(now);
  }
  // Ground and light go with what is followed.
  private bringAlong(center: Vector3): void {
    this.ground.recenter(center);
    this.sun.position.add(center).sub(this.sun.target.position);
    this.sun.target.position.copy(center);
  }
  /** Stay with the first moving body where all that moves leaves what is shown. */
  followIfAllLeave(): void {
    const moving = this.run.bodies.map((body, k) => ({ body, k })).filter(({ body, k }) => k > 0 && !body.fixed);
    const leaves = moving.every(({ body }) => {
      const { numbers } = body.track;
      const last = new Vector3().fromArray(numbers, numbers.length - 7);
      return last.distanceTo(this.center) > 1.5 * this.run.header.size;
    });
    if (moving.length === 0 || !leaves) return;
    this.setFollow(moving[0].k);
    const shift = this.lastFollowed.clone().sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.controls.update();
  }
  setFollow(body: number): void {
    this.follow = body;
    if (body >= 0) this.lastFollowed.setFromMatrixPosition(this.bodies.poses[body]);
    this.bringAlong(body >= 0 ? this.lastFollowed : this.center);
  }

  render(): void {
    this.renderer?.render(this.scene, this.camera);
  }

  /** What is at a place of the canvas [px from its corner]. */
  pick(x: number, y: number): Picked {
    const contact = this.pickContact(x, y);
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    return { contact, body: contact >= 0 ? -1 : (this.bodies.pick(ray)?.body ?? -1) };
  }

  private pickContact(x: number, y: number): number {
    const contacts = this.run.contacts;
    if (!contacts || !(this.layers.points || this.layers.forces || this.layers.normals)) return -1;
    let best = -1;
    let nearest = 11;
    const pointer = new Vector2(x, y);
    const [at, force, tip] = [new Vector3(), new Vector3(), new Vector3()];
    const [from, to] = this.contacts.rows;
    for (let row = from; row < to; row++) {
      at.set(contacts.position[0][row], contacts.position[1][row], contacts.position[2][row]);
      force.set(contacts.impulse[0][row], contacts.impulse[1][row], contacts.impulse[2][row]);
      const length = this.layers.forces ? this.contacts.lengthOf(force.length()) : 0;
      const start = this.toPixels(at);
      if (!start) continue;
      let distance = start.distanceTo(pointer);
      // A line is a line in the picture too. Where arrows cross a point, the point is meant.
      const end = length > 0 ? this.toPixels(tip.copy(at).addScaledVector(force.normalize(), length)) : null;
      if (end) distance = Math.min(distance, 2 + distanceToSegment(pointer, start, end));
      if (distance >= nearest) continue;
      nearest = distance;
      best = row;
    }
    return best;
  }
  // Its place in the canvas [px]; null: it is behind the camera.
  private toPixels(point: Vector3): Vector2 | null {
    const { x, y, z } = point.clone().project(this.camera);
    return z < 1 ? new Vector2(((x + 1) / 2) * this.width, ((1 - y) / 2) * this.height) : null;
  }
}

function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({ canvas, antialias: true });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.toneMapping = ACESFilmicToneMapping;
    renderer.toneMappingExposure = 1.12;
    return renderer;
  } catch {
    return null;
  }
}

/** Against gravity. Where there is none, and all moves in a plane, up lies in that plane: it is seen from its side. */
function chooseUp(run: Run): Vector3 {
  const { up, planarAxis } = run.header;
  const potential = run.findSignal("energy.potential");
  const weightless = potential >= 0 && run.values(potential).every((v) => v === 0);
  if (planarAxis < 0 || !weightless || Math.abs(up[planarAxis]) < 0.5) return new Vector3(...up).normalize();
  return planarAxis === 2 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
}

function distanceToSegment(p: Vector2, a: Vector2, b: Vector2): number {
  const along = b.clone().sub(a);
  const share = along.lengthSq() > 0 ? p.clone().sub(a).dot(along) / along.lengthSq() : 0;
  return a.clone().addScaledVector(along, Math.min(1, Math.max(0, share))).distanceTo(p);
}
