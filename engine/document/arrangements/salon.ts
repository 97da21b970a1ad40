/** Size of a work in units. */
export interface Work {
  width: number;
  height: number;
  /** Space that its caption takes below it, in units. */
  below: number;
}

interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Floating-point tolerance in units. */
const TOLERANCE = 1e-6;

const meets = (a: Box, b: Box, gap: number) =>
  a.left < b.right + gap - TOLERANCE &&
  b.left < a.right + gap - TOLERANCE &&
  a.bottom < b.top + gap - TOLERANCE &&
  b.bottom < a.top + gap - TOLERANCE;

/** Lower left corners at which a box touches a placed one, at the distance of a gap: on each side, aligned or centered. */
function* besideBox({ left, right, bottom, top }: Box, width: number, height: number, gap: number) {
  for (const y of [bottom, top - height, (bottom + top - height) / 2])
    for (const x of [right + gap, left - gap - width]) yield { x, y };
  for (const x of [left, right - width, (left + right - width) / 2])
    for (const y of [top + gap, bottom - gap - height]) yield { x, y };
}

/**
 * Packs works into a rectangle, in the style of a salon: by size, the largest first, each as close as possible to the middle
 * of the line, beside, above or below one that is placed. Distances across count less on wide walls, so that the hang has
 * the proportions of its wall.
 * @param line height of the center line above the lower edge of the rectangle
 * @returns the center of each work, from the lower left corner of the rectangle; null if one of them doesn't fit
 */
export function salon(
  works: readonly Work[],
  area: { width: number; height: number },
  line: number,
  gap: number,
): { x: number; y: number }[] | null {
  const order = works.map((_, nth) => nth);
  const sizeOf = ({ width, height, below }: Work) => width * (height + below);
  order.sort((a, b) => sizeOf(works[b]!) - sizeOf(works[a]!));
  const squeeze = area.height / Math.max(area.width, 1);
  const boxes: Box[] = [];
  const centers = works.map(() => ({ x: 0, y: 0 }));
  for (const nth of order) {
    const { width, height: own, below } = works[nth]!;
    const height = own + below;
    const start = {
      x: (area.width - width) / 2,
      y: Math.max(0, Math.min(line - own / 2 - below, area.height - height)),
    };
    const tries = boxes.length === 0 ? [start] : boxes.flatMap((box) => [...besideBox(box, width, height, gap)]);
    const best = tries
      .filter(
        ({ x, y }) =>
          x >= -TOLERANCE &&
          y >= -TOLERANCE &&
          x + width <= area.width + TOLERANCE &&
          y + height <= area.height + TOLERANCE,
      )
      .map(({ x, y }) => ({
        x,
        y,
        away: Math.hypot((x + width / 2 - area.width / 2) * squeeze, y + height / 2 - line),
      }))
      .sort((a, b) => a.away - b.away)
      .find(({ x, y }) => {
        const box = { left: x, bottom: y, right: x + width, top: y + height };
        return !boxes.some((other) => meets(box, other, gap));
      });
    if (!best) return null;
    boxes.push({ left: best.x, bottom: best.y, right: best.x + width, top: best.y + height });
    centers[nth] = { x: best.x + width / 2, y: best.y + below + own / 2 };
  }
  return centers;
}
