import { generateNKeysBetween } from 'fractional-indexing';
import type { Element } from './element.ts';

/** Longest key that is stored; longer ones make the siblings around them get new keys. */
export const MAX_KEY = 64;

/** `count` keys in ascending order between two keys; null leaves that side open. Keys compare bytewise. */
export const keysBetween = (low: string | null, high: string | null, count: number): string[] =>
  generateNKeysBetween(low, high, count);

function isKey(key: string): boolean {
  if (!key || key.length > MAX_KEY) return false;
  try {
    return keysBetween(key, null, 1).length > 0;
  } catch {
    return false;
  }
}

/**
 * Keys for siblings in their order. Known keys are kept where they ascend; a key that is larger than the next one, which
 * itself fits, gives way to it.
 * @param known their keys so far; empty where there is none
 */
function ascendingKeys(known: readonly string[]): readonly string[] {
  const keys: string[] = [];
  let last: string | null = null;
  let missing = 0;
  const fill = (high: string | null): void => {
    keys.push(...keysBetween(last, high, missing));
    missing = 0;
  };
  for (const [at, key] of known.entries()) {
    const next = known[at + 1] || key;
    const fits = key !== '' && (last === null || key > last);
    if (!fits || (next < key && (last === null || next > last))) {
      missing++;
      continue;
    }
    fill(key);
    keys.push(key);
    last = key;
  }
  fill(null);
  return keys;
}

/**
 * Keys that say the order of siblings.
 * @param known the keys that they have so far, in that order; empty where there is none
 */
export function siblingKeys(known: readonly string[]): readonly string[] {
  // Files and programs bring keys of their own, which can be none.
  const usable = known.map((key) => (isKey(key) ? key : ''));
  if (usable.every((key, at) => key > (usable[at - 1] ?? ''))) return known;
  const keys = ascendingKeys(usable);
  return keys.every(({ length }) => length <= MAX_KEY) ? keys : keysBetween(null, null, known.length);
}

/**
 * Elements whose keys say what their order says: siblings have distinct keys that ascend.
 * @param elements in the order of the tree
 * @param before elements whose keys are kept where they can be, by id, and no others; without it, those that the elements have
 * @returns the same elements where their keys stay
 */
export function withKeys(elements: readonly Element[], before?: ReadonlyMap<number, Element>): Element[] {
  const keys = new Map<number, string>();
  for (const siblings of Map.groupBy(elements, ({ parent_element_id }) => parent_element_id).values()) {
    const known = siblings.map(({ id, parent_element_id, index }) => {
      const old = before?.get(id);
      if (!before) return index;
      return old?.parent_element_id === parent_element_id ? old.index : '';
    });
    for (const [at, key] of siblingKeys(known).entries()) keys.set(siblings[at]!.id, key);
  }
  return elements.map((element) => {
    const index = keys.get(element.id)!;
    return element.index === index ? element : { ...element, index };
  });
}

/** Whether the keys of elements say their order. @param elements in the order of the tree */
export function areKeyed(elements: readonly Element[]): boolean {
  const last = new Map<number | null, string>();
  return elements.every(({ parent_element_id, index }) => {
    const isBehind = index > (last.get(parent_element_id) ?? '');
    last.set(parent_element_id, index);
    return isBehind;
  });
}

/** What breaks the rules of a document's elements: ids are distinct, parents exist, none stands in itself, and siblings have distinct keys. */
export function brokenRules(elements: readonly Element[]): string[] {
  const parents = new Map(elements.map(({ id, parent_element_id }) => [id, parent_element_id]));
  const broken: string[] = [];
  const seen = new Set<number>();
  const keys = new Set<string>();
  for (const { id, parent_element_id: parent, index } of elements) {
    if (seen.has(id)) broken.push(`Id ${id} is used twice.`);
    seen.add(id);
    if (parent !== null && !parents.has(parent))
      broken.push(`Element ${id} stands in ${parent}, which does not exist.`);
    const key = `${parent} ${index}`;
    if (keys.has(key)) broken.push(`Element ${id} has the index ${index} of a sibling.`);
    keys.add(key);
    let above = parent;
    for (let steps = 0; above !== null && above !== undefined && above !== id && steps <= parents.size; steps++)
      above = parents.get(above) ?? null;
    if (above === id) broken.push(`Element ${id} stands in itself.`);
  }
  return broken;
}
