import { salon, type Work } from './salon.ts';

/** Layouts of works on walls: one row per wall, several rows, or a dense hang in the style of a salon. */
export const LAYOUTS = ['row', 'rows', 'salon'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The line that works are aligned to. */
export const ALIGNMENTS = ['center', 'bottom', 'top'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** Minimum gap in units where gaps are spread evenly: 20 cm. */
export const LEAST_GAP = 62.5;

/** The front of a wall in units. */
export interface Face {
  width: number;
  height: number;
  /** Height of its lower edge above the floor. */
  base: number;
  /** Parts of its width that are taken, from its left edge. */
  taken: readonly Span[];
}

/** A part of a wall's width, in units from its left edge. */
export interface Span {
  from: number;
  to: number;
}

export interface LayoutOptions {
  layout: Layout;
  align: Alignment;
  /** Height of the line above the floor in units. */
  line: number;
  /** Gap between neighbors, and to the ends of a wall, in units; null to spread works evenly over each wall. */
  gap: number | null;
}

/** A free part of a wall, with the line's height above the wall's lower edge. */
interface Section extends Span {
  height: number;
  line: number;
}

/** Center of a work, in units from the left and the lower edge of its wall. */
interface Center {
  x: number;
  y: number;
}

/** A work on a wall; both are counted from 0. */
interface Placed extends Center {
  work: number;
  face: number;
}

/** Placed works, and those that fit on no wall, in order. */
export interface Arrangement {
  placed: Placed[];
  left: number[];
}

/** Free parts of a wall, from left to right. */
function freeSections({ width, height, base, taken }: Face, line: number): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const span of taken.toSorted((a, b) => a.from - b.from)) {
    if (span.from > from) sections.push({ from, to: Math.min(span.from, width), height, line: line - base });
    from = Math.max(from, span.to);
  }
  if (from < width) sections.push({ from, to: width, height, line: line - base });
  return sections;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/** Limits a value; if the limits cross, the lower one wins. */
const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));

/** Number of the first works that fit side by side. */
function countBeside(works: readonly Work[], space: number, gap: number): number {
  let length = -gap;
  let count = 0;
  while (count < works.length && length + gap + works[count]!.width <= space) length += gap + works[count++]!.width;
  return count;
}

/** Centers of works side by side, in the middle of a section. */
function beside(works: readonly Work[], { from, to }: Span, gap: number | null): number[] {
  const filled = sum(works.map(({ width }) => width));
  const space = gap ?? (to - from - filled) / (works.length + 1);
  let at = (from + to - filled - space * (works.length - 1)) / 2;
  return works.map(({ width }) => {
    const x = at + width / 2;
    at += width + space;
    return x;
  });
}

/** Extent of works in a line above and below their centers. */
const reachOf = (works: readonly Work[]) => ({
  up: most(works.map(({ height }) => height / 2)),
  down: most(works.map(({ height, below }) => height / 2 + below)),
});

/** One row: each work has its center, or one of its edges, at the line. */
function row(works: readonly Work[], section: Section, { align, gap }: LayoutOptions): Center[] {
  const least = gap ?? LEAST_GAP;
  const hung = works.slice(0, countBeside(works, section.to - section.from - 2 * least, least));
  const xs = beside(hung, section, gap);
  return hung.map(({ height, below }, nth) => {
    const away = align === 'bottom' ? height / 2 : align === 'top' ? -height / 2 : 0;
    return { x: xs[nth]!, y: clamp(section.line + away, height / 2 + below, section.height - height / 2) };
  });
}

/** Several rows from top to bottom, as a block whose center, or one of its edges, is at the line. */
function rows(works: readonly Work[], section: Section, { align, gap }: LayoutOptions): Center[] {
  const least = gap ?? LEAST_GAP;
  const lines: { works: readonly Work[]; up: number; down: number }[] = [];
  let total = -least;
  for (let next = 0; next < works.length; ) {
    const rest = works.slice(next);
    const line = rest.slice(0, countBeside(rest, section.to - section.from - 2 * least, least));
    const { up, down } = reachOf(line);
    // A single row may touch floor and ceiling; a block keeps a gap.
    const space = lines.length === 0 ? section.height : section.height - 2 * least;
    if (line.length === 0 || total + least + up + down > space) break;
    total += least + up + down;
    lines.push({ works: line, up, down });
    next += line.length;
  }
  const above = align === 'center' ? total / 2 : align === 'bottom' ? total : 0;
  const margin = total <= section.height - 2 * least ? least : 0;
  let top = clamp(section.line + above, total + margin, section.height - margin);
  return lines.flatMap(({ works: line, up, down }) => {
    const y = top - up;
    top -= up + down + least;
    return beside(line, section, gap).map((x) => ({ x, y }));
  });
}

/** The longest prefix of works that can be packed around the center line. */
function dense(works: readonly Work[], section: Section, { gap }: LayoutOptions): Center[] {
  const least = gap ?? LEAST_GAP;
  const area = { width: section.to - section.from - 2 * least, height: section.height };
  // By area, no more than these can fit.
  let bound = 0;
  for (let filled = 0; bound < works.length; bound++) {
    const { width, height, below } = works[bound]!;
    filled += width * (height + below);
    if (filled > area.width * area.height) break;
  }
  let found: Center[] = [];
  let [low, high] = [0, bound];
  while (low < high) {
    const count = Math.ceil((low + high) / 2);
    const packed = salon(works.slice(0, count), area, section.line, least);
    if (packed) [low, found] = [count, packed];
    else high = count - 1;
  }
  return found.map(({ x, y }) => ({ x: x + section.from + least, y }));
}

const LAYING = { row, rows, salon: dense } as const;

/**
 * Hangs works on walls: wall after wall, in the order of the works. Works that fit on no wall at all are left out first;
 * the others wait for a wall with enough space. No two works overlap, and none reaches beyond its wall.
 *
 * - `row`: one row per free part of a wall.
 * - `rows`: rows from top to bottom, each as long as the wall allows.
 * - `salon`: as many works per wall as can be packed around the line, whatever the alignment; see `salon`.
 */
export function arrange(works: readonly Work[], faces: readonly Face[], options: LayoutOptions): Arrangement {
  const least = options.gap ?? LEAST_GAP;
  const sections = faces.flatMap((face, nth) =>
    freeSections(face, options.line).map((section) => ({ ...section, face: nth })),
  );
  const fits = ({ width, height, below }: Work) =>
    sections.some(({ from, to, height: space }) => width <= to - from - 2 * least && height + below <= space);
  let waiting = works.flatMap((work, nth) => (fits(work) ? [nth] : []));
  const placed: Placed[] = [];
  for (const { face, ...section } of sections) {
    const lasting = waiting.findIndex((nth) => works[nth]!.height + works[nth]!.below > section.height);
    const some = lasting < 0 ? waiting : waiting.slice(0, lasting);
    const centers = LAYING[options.layout](
      some.map((nth) => works[nth]!),
      section,
      options,
    );
    placed.push(...centers.map((center, nth) => ({ work: waiting[nth]!, face, ...center })));
    waiting = waiting.slice(centers.length);
  }
  const done = new Set(placed.map(({ work }) => work));
  return { placed, left: works.flatMap((_, nth) => (done.has(nth) ? [] : [nth])) };
}
