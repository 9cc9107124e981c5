// The part of the address after #: it keeps the time, and the camera once it was moved, so that a link shows the same picture.

export interface Link {
  time: number | null;
  camera: number[] | null;
  layers: string[] | null;
  /** The picture alone, without the page around it. */
  bare: boolean;
}

export function readLink(): Link {
  const words = new URLSearchParams(location.hash.slice(1));
  const numbers = (words.get("camera") ?? "").split(",").map(Number);
  const time = words.get("t");
  return {
    time: time !== null && Number.isFinite(Number(time)) ? Number(time) : null,
    camera: numbers.length === 6 && numbers.every(Number.isFinite) ? numbers : null,
    layers: words.has("layers") ? words.get("layers")!.split(",") : null,
    bare: words.has("bare"),
  };
}

let pending = 0;

/** Not more often than a few times a second: browsers refuse more. */
export function writeLink(make: () => { time: number; camera: number[] | null }): void {
  if (pending !== 0) return;
  pending = window.setTimeout(() => {
    pending = 0;
    const words = new URLSearchParams(location.hash.slice(1));
    const { time, camera } = make();
    words.set("t", String(Number(time.toPrecision(9))));
    if (camera) words.set("camera", camera.map((x) => Number(x.toPrecision(5))).join(","));
    else words.delete("camera");
    try {
      history.replaceState(null, "", `#${words.toString().replaceAll("%2C", ",")}`);
    } catch {
      // A page in a frame without an address has no link to keep.
    }
  }, 400);
}
