// Colours of the 3D scene; those of the page are in style.css.
import { Color } from "three";

export interface SceneColors {
  background: Color;
  ground: Color;
  line: Color;
  fixed: Color;
  edge: Color;
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function sceneColors(): SceneColors {
  return isDark()
    ? { background: new Color(0x15181d), ground: new Color(0x23272e), line: new Color(0x474e59), fixed: new Color(0x6d7683), edge: new Color(0xd5dae2) }
    : { background: new Color(0xf3f5f7), ground: new Color(0xe6e9ed), line: new Color(0xb9c0c9), fixed: new Color(0xa9b1bc), edge: new Color(0x2b313a) };
}

/** Bodies: quiet colours that the colour-blind tell apart, after Okabe and Ito. */
export const bodyColors = [0x3b7dbf, 0xd98032, 0x2f9e7d, 0xb9608f, 0xcfa92e, 0x5aa9d6, 0x8a6bb8, 0x7d8a4e].map((c) => new Color(c));
export const forceColor = new Color(0xd62f4b);
export const momentColor = new Color(0x9a3fb5);
/** Of patches without pressure; those of the largest one have the colour of forces. */
export const lowColor = new Color(0xf6e3a1);
export const slipColor = new Color(0xf29a2e);
export const stickColor = new Color(0x2b8a5b);
export const openColor = new Color(0x8793a3);
export const velocityColor = new Color(0x2a78d6);
export const closestColor = new Color(0x0f7c8c);
export const tangentColor = new Color(0x7fb6bf);
export const jointColor = new Color(0x7a5bd0);
/** Of what is selected: the first, but for bodies that are nearly as yellow themselves. */
const selectColors = [new Color(0xffc53d), new Color(0x19c3e6)];
export function selectColorFor(own: Color): Color {
  const [a, b] = [own, selectColors[0]].map((color) => color.getHSL({ h: 0, s: 0, l: 0 }));
  return a.s > 0.2 && Math.abs(a.h - b.h) < 25 / 360 ? selectColors[1] : selectColors[0];
}
/** Compared runs, in plots of one signal and as ghosts: the second and later ones have hues that no body has. */
const runColors = ["#2a78b8", "#d6249f", "#00939f", "#7a9a00", "#6a4cff"];
export function runColor(run: number): string {
  return runColors[run % runColors.length];
}
/** Curves of plots. */
export const curveColors = ["#2a78b8", "#cf6a1f", "#1d8a66", "#b3548a", "#b08a12", "#4a9fd0", "#7c5cb5", "#6f7d3f"];
