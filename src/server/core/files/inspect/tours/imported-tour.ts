import type { PanoramaSource, TourFormat } from '../../../../../contract/entities.ts';
import { damaged } from '../inspection.ts';

/** A direction in degrees: to the right, and upwards. */
export interface Direction {
  yaw: number;
  pitch: number;
}

/** What a hotspot does. Directions are as in the target's configuration. */
export type HotspotAction =
  | {
      kind: 'place';
      /** Key of the target. */
      to: string;
      /** `keep` keeps the direction; `view` is the first view of the target. */
      arrival: 'keep' | 'view' | Direction;
    }
  | { kind: 'url'; url: string }
  | { kind: 'text'; html: string }
  | { kind: 'none' };

export interface ImportedHotspot extends Direction {
  name: string;
  action: HotspotAction;
}

/** A position on the earth: degrees north and east, meters above sea level. */
export interface GpsPosition {
  latitude: number;
  longitude: number;
  altitude?: number;
}

export interface ImportedPlace {
  key: string;
  name: string;
  source: PanoramaSource;
  /** Compass direction of the image's center in degrees; null if it is not in the configuration. */
  heading: number | null;
  /** Added to the heading, also to the one that the camera recorded. */
  turn: number;
  /** Elevation of the image's center, and rotation around it, clockwise; null if not in the configuration. */
  pitch: number | null;
  roll: number | null;
  /** What yaws are relative to: the heading without `turn`, or north. */
  yawFrom: 'heading' | 'north';
  view: Direction;
  /** Vertical field of view of the first view in degrees; null for the default. */
  fov: number | null;
  /** View on arrival through a menu: the first view, or the direction that the visitor had. */
  arrivalView: 'keep' | 'set';
  gps: GpsPosition | null;
  hotspots: ImportedHotspot[];
}

/** A tour as its reader found it. */
export interface ReadTour {
  format: TourFormat;
  title: string;
  /** Key of the first place; null for the first in the list. */
  start: string | null;
  places: ImportedPlace[];
  leftOut: LeftOut;
}

/** A complete tour: every link leads to one of its places. */
export interface ImportedTour extends Omit<ReadTour, 'start' | 'leftOut'> {
  start: string;
  left_out: string[];
}

/** Maximum number of lines about omissions. */
const MAX_LINES = 500;
/** Maximum characters of a value in a message. */
const MAX_SHOWN = 80;

/** A value of the configuration, for messages. */
export const quoted = (value: unknown): string => {
  const text = String(value)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ');
  return `“${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}”`;
};

/** What can't be imported, line by line. */
export class LeftOut {
  readonly #lines: string[] = [];
  #more = 0;

  /** @param where scene or file; empty for the whole tour */
  add(where: string, what: string): void {
    if (this.#lines.length >= MAX_LINES) this.#more++;
    else this.#lines.push(where === '' ? what : `${where}: ${what}`);
  }

  get lines(): string[] {
    return this.#more === 0 ? [...this.#lines] : [...this.#lines, `And ${this.#more} more.`];
  }
}

/** A panorama that can't be imported; the tour goes on without its place. */
export class UnusablePlace extends Error {}

/** Name of a scene in messages. */
export const sceneOf = (key: string): string => `Scene ${quoted(key)}`;

/** An error in a scene that ends the import. */
export const damagedScene = (key: string, sentence: string) => damaged(`${sceneOf(key)}: ${sentence}`);
