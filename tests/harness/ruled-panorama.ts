import { rotationOf } from '../../engine/document/rotation.ts';

/** Angles in degrees. */
export interface Turn {
  heading: number;
  pitch: number;
  roll: number;
}

const RADIANS = Math.PI / 180;
/** Degrees between two lines, and between meridians near the poles, which would merge otherwise. */
const STEP = { line: 7.5, polar: 45, from: 68 } as const;
/** Half the width of a line's gray ramp in degrees. */
const RAMP = 0.22;

/** Signed distance in degrees to the nearest multiple of a step; the sign changes with each. */
function toLine(angle: number, step: number): number {
  const at = angle / step;
  const nearest = Math.round(at);
  return (at - nearest) * step * (nearest % 2 === 0 ? 1 : -1);
}

const clamp = (value: number) => Math.max(-1, Math.min(1, value));

/** Distances in degrees to the nearest meridian and parallel, signed. */
function distances(longitude: number, latitude: number): [number, number] {
  const step = Math.abs(latitude) > STEP.from ? STEP.polar : STEP.line;
  return [toLine(longitude, step) * Math.cos(latitude * RADIANS), toLine(latitude, STEP.line)];
}

/** An equirectangular image in gray, one byte per pixel: a checkerboard with soft edges along meridians and parallels. */
export function ruled(width: number): Buffer {
  const height = width / 2;
  const pixels = Buffer.alloc(width * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const [along, across] = distances(((x + 0.5) / width) * 360 - 180, 90 - ((y + 0.5) / height) * 180);
      pixels[at] = Math.round(127.5 + 120 * clamp(along / RAMP) * clamp(across / RAMP));
    }
  return pixels;
}

interface View {
  heading: number;
  pitch: number;
  /** Vertical field of view. */
  fov: number;
}

/** Minimum gray difference of neighboring pixels at a line. */
const MIN_SLOPE = 2;
/** Rows and columns of the screen in which lines are searched. */
const SCANS = 40;

/** A view of the ruled panorama: one byte per pixel. */
export interface RuledPicture {
  data: Buffer;
  width: number;
  height: number;
}

/** The part of the sphere that an image shows, as fractions. */
type Part = { left: number; top: number; width: number; height: number };

/** Places in a picture, in pixels from its corner, where gray crosses the middle along rows and columns. */
function crossings({ data, width, height }: RuledPicture): [x: number, y: number][] {
  const found: [number, number][] = [];
  const scan = (length: number, index: (at: number) => number, place: (at: number) => [number, number]) => {
    for (let at = 1; at < length - 2; at++) {
      const [one, other] = [data[index(at)]!, data[index(at + 1)]!];
      if (one < 127.5 !== other < 127.5 && Math.abs(one - other) > MIN_SLOPE)
        found.push(place(at + 0.5 + (127.5 - one) / (other - one)));
    }
  };
  for (let line = 1; line < SCANS; line++) {
    const y = Math.floor((line * height) / SCANS);
    scan(
      width,
      (x) => y * width + x,
      (x) => [x, y + 0.5],
    );
    const x = Math.floor((line * width) / SCANS);
    scan(
      height,
      (row) => row * width + x,
      (row) => [x + 0.5, row],
    );
  }
  return found;
}

/**
 * Compares the lines in a view of the ruled panorama with where they belong.
 * @returns distances in pixels
 */
export function lineErrors(picture: RuledPicture, view: View, turn: Turn, part?: Part): number[] {
  const { width, height } = picture;
  const focal = height / 2 / Math.tan((view.fov * RADIANS) / 2);
  const camera = rotationOf({ ...view, roll: 0 });
  const image = rotationOf(turn);
  /** Longitude and latitude in the image, in degrees, of a place on the screen in pixels. */
  const anglesAt = (x: number, y: number): [number, number] => {
    const [a, b] = [(x - width / 2) / focal, (height / 2 - y) / focal];
    const world = [0, 1, 2].map((row) => camera[row]! * a + camera[3 + row]! * b - camera[6 + row]!);
    const [u, v, w] = [0, 3, 6].map((column) =>
      world.reduce((sum, value, row) => sum + value * image[column + row]!, 0),
    ) as [number, number, number];
    return [Math.atan2(u, -w) / RADIANS, Math.atan2(v, Math.hypot(u, w)) / RADIANS];
  };
  return crossings(picture).flatMap(([x, y]) => {
    const [longitude, latitude] = anglesAt(x, y);
    if (part) {
      const place = [(longitude / 360 + 0.5 - part.left) / part.width, (0.5 - latitude / 180 - part.top) / part.height];
      if (place.some((each) => each < 0.01 || each > 0.99)) return [];
    }
    const here = distances(longitude, latitude);
    const [near, far] = here.map(Math.abs).toSorted((one, other) => one - other) as [number, number];
    // Where lines meet or end, there is no clear edge.
    if (far < 3 * RAMP || Math.abs(Math.abs(latitude) - STEP.from) < 1) return [];
    const nearest = Math.abs(here[0]) === near ? 0 : 1;
    const slopes = [
      [0.01, 0],
      [0, 0.01],
    ].map(([dx, dy]) => (distances(...anglesAt(x + dx!, y + dy!))[nearest]! - here[nearest]) * 100);
    return [near / Math.hypot(...slopes)];
  });
}
