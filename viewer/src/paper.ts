// The page on paper: light, with plots as wide as the paper. The picture is an image there: what a canvas of WebGL shows is not
// kept for printing.
import { h } from "./ui/dom";
import { setPaperWidth } from "./ui/plot";

/** As wide as A4 between its margins [px]. */
const width = 680;

interface Printed {
  /** All of it anew, in the colours of the theme. */
  redraw: () => void;
  /** null: there is none. */
  picture: () => HTMLCanvasElement | null;
  caption: () => string;
}

export class Paper {
  /** The theme before; null: the page is on a screen. */
  private themeBefore: { name: string | undefined } | null = null;
  private picture: HTMLImageElement | null = null;

  constructor(
    private readonly printed: Printed,
    signal: AbortSignal,
  ) {
    window.addEventListener("beforeprint", () => this.enter(), { signal });
    window.addEventListener("afterprint", () => this.leave(), { signal });
  }

  /** The browser prints when this has returned and what it has begun is drawn. */
  print(): void {
    this.enter();
    setTimeout(() => window.print());
  }

  private enter(): void {
    if (this.themeBefore) return;
    const { dataset } = document.documentElement;
    this.themeBefore = { name: dataset.theme };
    dataset.theme = "light";
    setPaperWidth(width);
    this.printed.redraw();
    const canvas = this.printed.picture();
    if (!canvas) return;
    this.picture = h("img", { class: "paper", alt: this.printed.caption(), src: canvas.toDataURL() });
    canvas.parentElement!.after(this.picture);
  }
  private leave(): void {
    if (!this.themeBefore) return;
    const { dataset } = document.documentElement;
    if (this.themeBefore.name === undefined) delete dataset.theme;
    else dataset.theme = this.themeBefore.name;
    this.themeBefore = null;
    setPaperWidth(0);
    this.picture?.remove();
    this.printed.redraw();
  }
}
