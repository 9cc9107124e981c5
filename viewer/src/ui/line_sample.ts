// A short piece of a curve, as it is drawn in a plot: for keys.
import type { CurveStyle } from "./plot";

const namespace = "http://www.w3.org/2000/svg";

export function lineSample({ color, dash, width }: CurveStyle): SVGSVGElement {
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 26 8");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("line-sample");
  const line = document.createElementNS(namespace, "path");
  line.setAttribute("d", "M0 4h26");
  line.setAttribute("stroke", color);
  line.setAttribute("stroke-width", String(width ?? 2));
  if (dash) line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}
