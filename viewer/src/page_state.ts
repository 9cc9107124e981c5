// What a user has made of the page: kept when a live run ends and the whole run takes its place.
import type { Look } from "./view/bodies";
import type { Layers } from "./view/stage";
import type { PlotsState } from "./ui/plots";

export interface PageState {
  time: number;
  /** The user looks at the end: it moves on with the run. */
  atEnd: boolean;
  speed: number;
  playing: boolean;
  /** null: nobody has moved it, and it shows everything. */
  camera: number[] | null;
  follow: number;
  layers: Layers;
  menuOpen: boolean;
  looks: Look[];
  tab: string;
  /** By names: a pair of shapes has another number in the whole run. */
  body: string | null;
  pair: string | null;
  plots: PlotsState;
  treeWords: string;
  treeOpen: string[];
  eventFilter: [string, string];
}
