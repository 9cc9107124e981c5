// The bar between the picture and the panels: drag it, or move it by the arrow keys.
import { h } from "./dom";

export function makeSplitter(): HTMLElement {
  const splitter = h("div", { class: "splitter", role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the panels", tabindex: 0 });
  const set = (x: number) => document.documentElement.style.setProperty("--panel", `${Math.min(innerWidth - 320, Math.max(300, innerWidth - x))}px`);
  splitter.addEventListener("pointerdown", (event) => splitter.setPointerCapture(event.pointerId));
  splitter.addEventListener("pointermove", (event) => splitter.hasPointerCapture(event.pointerId) && set(event.clientX));
  splitter.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowLeft" ? -24 : event.key === "ArrowRight" ? 24 : 0;
    if (step === 0) return;
    event.stopPropagation();
    set(splitter.getBoundingClientRect().left + step);
  });
  return splitter;
}
