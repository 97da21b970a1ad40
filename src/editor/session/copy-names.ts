import type { Element } from '../../../engine/document/element.ts';

/** Longest name of an element, in characters. */
const LONGEST = 255;

/** Units between an element and its copy. */
const GAP = 40;
/** Units to the side where an element does not say how wide it is. */
const NO_WIDTH = 200;

/** A name that no element of a room has: the same with the next number behind it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const [, stem = name, number = '1'] = /^(.*?)(?: (\d{1,6}))?$/s.exec(name) ?? [];
  for (let next = Number(number) + 1; ; next++) {
    const end = ` ${next}`;
    const free = stem.slice(0, LONGEST - end.length) + end;
    if (!taken.has(free)) return free;
  }
}

/** Copies under names of their own; what is in them keeps its names. Elements without a name stay without. */
export function named(copies: readonly Element[], room: readonly Element[]): Element[] {
  const taken = new Set(room.map(({ name }) => name));
  return copies.map((copy) => {
    if (copy.name === '') return copy;
    const name = freeName(copy.name, taken);
    taken.add(name);
    return { ...copy, name };
  });
}

/** Copies beside what they are copies of: to its right, as wide as all of them reach. */
export function beside(copies: readonly Element[]): Element[] {
  const widths = copies.map(({ width, scale_x }) => (width ?? NO_WIDTH) * Math.abs(scale_x));
  const first = copies[0];
  if (!first) return [];
  const xs = copies.map(({ position_x }) => position_x);
  const step = Math.max(...xs) - Math.min(...xs) + Math.max(...widths) + GAP;
  const x = Math.round(Math.cos(first.rotation_y) * step);
  const z = Math.round(-Math.sin(first.rotation_y) * step);
  return copies.map((copy) => ({ ...copy, position_x: copy.position_x + x, position_z: copy.position_z + z }));
}
