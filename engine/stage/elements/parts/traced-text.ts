import { contours } from 'd3-contour';
import { Path, Shape, Vector2 } from 'three';
import { directionOf, loadTextFont, TEXT_FAMILY } from '../../rendering/canvas-text.ts';

/** Pixels per em of the traced drawing, reduced for lines that would become too wide. */
const EM = 128;
const MAX_WIDTH = 4096;
/** Canvas margin around a line, in ems: glyphs may reach beyond their advance width. */
const MARGIN = 0.6;
/** Height above and below the baseline, in ems: enough for marks above and below Arabic and Thai letters. */
const ASCENT = 1.4;
const DESCENT = 0.8;
/** Coverage of a pixel, 0 to 255, that counts as inside. */
const INSIDE = 127;
/** Deviation in pixels within which points are dropped. */
const TOLERANCE = 0.3;

/** x and y in pixels. */
type Point = readonly number[];

/** Distance of a point from the line through two others. */
function distance([x = 0, y = 0]: Point, [ax = 0, ay = 0]: Point, [bx = 0, by = 0]: Point): number {
  const length = Math.hypot(bx - ax, by - ay);
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
}

/** Drops points within the tolerance (Ramer–Douglas–Peucker). @param ring closed: its last point is its first */
function simplify(ring: readonly Point[]): Point[] {
  const kept = new Set([0, ring.length - 1]);
  const spans: [from: number, to: number][] = [[0, ring.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    let [farthest, index] = [TOLERANCE, -1];
    for (let each = from + 1; each < to; each++) {
      const away = distance(ring[each]!, ring[from]!, ring[to]!);
      if (away > farthest) [farthest, index] = [away, each];
    }
    if (index < 0) continue;
    kept.add(index);
    spans.push([from, index], [index, to]);
  }
  return ring.filter((_, index) => kept.has(index));
}

/**
 * Shapes of a line of text in whatever fonts the browser has for its letters, starting at x = 0: drawn, then traced with
 * marching squares. The browser shapes and orders the letters, so scripts such as Arabic and Devanagari are joined.
 * @param size of the em square in units
 */
export async function traceLine(line: string, size: number): Promise<Shape[]> {
  await loadTextFont(line);
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  pen.font = `600 ${EM}px ${TEXT_FAMILY}`;
  const em = Math.min(EM, (EM * MAX_WIDTH) / Math.max(1, pen.measureText(line).width));
  pen.font = `600 ${em}px ${TEXT_FAMILY}`;
  const width = Math.ceil(pen.measureText(line).width + 2 * MARGIN * em);
  const height = Math.ceil((ASCENT + DESCENT) * em);
  Object.assign(canvas, { width, height });
  // Resizing a canvas resets its pen.
  pen.font = `600 ${em}px ${TEXT_FAMILY}`;
  pen.direction = directionOf(line);
  pen.textAlign = 'left';
  pen.fillText(line, MARGIN * em, ASCENT * em);
  const { data } = pen.getImageData(0, 0, width, height);
  const coverage = Array.from({ length: width * height }, (_, index) => data[index * 4 + 3]!);
  const scale = size / em;
  const points = (ring: readonly Point[]) =>
    simplify(ring).map(([x = 0, y = 0]) => new Vector2((x - MARGIN * em) * scale, (ASCENT * em - y) * scale));
  const [outline] = contours().size([width, height]).thresholds([INSIDE])(coverage);
  return (outline?.coordinates ?? []).map(([outer = [], ...holes]) => {
    const shape = new Shape(points(outer));
    shape.holes = holes.map((hole) => new Path(points(hole)));
    return shape;
  });
}
