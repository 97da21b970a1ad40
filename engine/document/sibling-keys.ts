import { generateNKeysBetween } from 'fractional-indexing';
import type { Element } from './element.ts';

/** Maximum length of a stored key; longer keys make their neighbors get new keys. */
export const MAX_KEY = 64;

/** `count` ascending keys between two keys; null leaves that side open. Keys compare bytewise. */
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
 * Ascending keys for ordered siblings. Existing keys stay where they ascend; a key above its successor is replaced if the
 * successor fits.
 * @param known existing keys; empty strings if missing
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
 * Keys in the order of the siblings.
 * @param known existing keys in that order; empty strings if missing
 */
export function siblingKeys(known: readonly string[]): readonly string[] {
  // Files and API clients can send invalid keys.
  const usable = known.map((key) => (isKey(key) ? key : ''));
  if (usable.every((key, at) => key > (usable[at - 1] ?? ''))) return known;
  const keys = ascendingKeys(usable);
  return keys.every(({ length }) => length <= MAX_KEY) ? keys : keysBetween(null, null, known.length);
}

/**
 * Sets keys that match the order: distinct and ascending among siblings.
 * @param elements in tree order
 * @param before elements whose keys to preserve, by id; if omitted, the elements' own keys
 * @returns the same element objects if their keys don't change
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

/** Whether the keys match the order. @param elements in tree order */
export function areKeysInOrder(elements: readonly Element[]): boolean {
  const last = new Map<number | null, string>();
  return elements.every(({ parent_element_id, index }) => {
    const isBehind = index > (last.get(parent_element_id) ?? '');
    last.set(parent_element_id, index);
    return isBehind;
  });
}

/** Violations of the tree's invariants: unique ids, existing parents, no cycles, unique keys among siblings. */
export function treeViolations(elements: readonly Element[]): string[] {
  const parents = new Map(elements.map(({ id, parent_element_id }) => [id, parent_element_id]));
  const broken: string[] = [];
  const seen = new Set<number>();
  const keys = new Set<string>();
  for (const { id, parent_element_id: parent, index } of elements) {
    if (seen.has(id)) broken.push(`ID ${id} is used twice.`);
    seen.add(id);
    if (parent !== null && !parents.has(parent)) broken.push(`The parent of element ${id}, ${parent}, doesn't exist.`);
    const key = `${parent} ${index}`;
    if (keys.has(key)) broken.push(`Element ${id} has the same index as a sibling: ${index}.`);
    keys.add(key);
    let above = parent;
    for (let steps = 0; above !== null && above !== undefined && above !== id && steps <= parents.size; steps++)
      above = parents.get(above) ?? null;
    if (above === id) broken.push(`Element ${id} is its own ancestor.`);
  }
  return broken;
}
