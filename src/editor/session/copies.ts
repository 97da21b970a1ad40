import { z } from 'zod';
import { type Element, elementSchema } from '../../../engine/document/element.ts';
import { remapElement } from '../../../engine/document/remap.ts';
import { deriveFields } from '../../../engine/document/room.ts';
import { withKeys } from '../../../engine/document/sibling-keys.ts';
import { findElement, flatten, nest, type Spot } from '../../../engine/document/tree.ts';
import type { DocumentStore } from './document-store.ts';
import { titleOf } from './element-names.ts';

/** Marker of clipboard text with elements. */
const MARK = 'enfilade.elements';

const clipSchema = z.object({
  kind: z.literal(MARK),
  version: z.literal(1),
  origin: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null)
    .default(null),
  elements: z.array(elementSchema).max(1000),
});

/** An element with its descendants. */
export interface Branch {
  top: Element;
  inside: readonly Element[];
}

/** Converts a list of elements to a branch; empty for an empty list. @param elements parents before children */
export const asBranch = ([top, ...inside]: readonly Element[]): Branch[] => (top ? [{ top, inside }] : []);

export const mapBranch = ({ top, inside }: Branch, change: (element: Element) => Element): Branch => ({
  top: change(top),
  inside: inside.map(change),
});

/**
 * Copies an element with its descendants under new ids; references among them are preserved.
 * @param newIds at least one id per element
 */
function copyOf(branch: Branch, newIds: Iterator<number>): Branch {
  const ids = new Map([branch.top, ...branch.inside].map(({ id }) => [id, newIds.next().value as number]));
  return mapBranch(branch, (original) => ({
    ...remapElement(original, ids),
    id: ids.get(original.id)!,
    parent_element_id: ids.get(original.parent_element_id ?? 0) ?? original.parent_element_id,
  }));
}

/** Copies branches under new ids. @param ids one per element */
export function copiesOf(branches: readonly Branch[], ids: readonly number[]): Branch[] {
  const left = ids.values();
  return branches.map((branch) => copyOf(branch, left));
}

/** Serializes branches for the clipboard. @param origin base of file URLs */
export const clipOf = (branches: readonly Branch[], origin: string): string =>
  JSON.stringify({
    kind: MARK,
    version: 1,
    origin,
    elements: branches.flatMap(({ top, inside }) => nest([top, ...inside])),
  });

/** Parsed clipboard content. */
export interface Clip {
  /** With their original ids. */
  branches: readonly Branch[];
  /** Base of file URLs; null if unknown. */
  origin: string | null;
}

/**
 * Parses elements from clipboard text.
 * @param isKnown whether the room has an element with an id: other links are removed
 * @returns null for other text
 */
export function readClip(text: string, isKnown: (id: number) => boolean): Clip | null {
  if (!text.includes(MARK)) return null;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const { data: clip } = clipSchema.safeParse(data);
  if (!clip || deriveFields(clip.elements, null).length > 0) return null;
  const branches = clip.elements.flatMap((element) =>
    asBranch(withKeys(flatten([element], element.parent_element_id))),
  );
  const own = new Set(branches.flatMap(({ top, inside }) => [top, ...inside]).map(({ id }) => id));
  const loose = { get: (id: number) => (own.has(id) || isKnown(id) ? undefined : null) };
  const settled = branches.map((branch) => mapBranch(branch, (element) => remapElement(element, loose)));
  return { branches: settled, origin: clip.origin };
}

/** Adds a removed element again, with its descendants that were not moved elsewhere. */
export function restoreBranch(document: DocumentStore, { top, inside }: Branch, { parent, after }: Spot): void {
  const { elements } = document.room;
  if (findElement(elements, top.id)) return;
  const back = new Set<number | null>([top.id]);
  const left = inside.filter(({ id, parent_element_id }) => {
    const isBack = back.has(parent_element_id) && !findElement(elements, id);
    if (isBack) back.add(id);
    return isBack;
  });
  const isThere = parent === null || findElement(elements, parent) !== undefined;
  document.run(
    { type: 'element.add', elements: [top, ...left], ...(isThere ? { parent, after } : { parent: null }) },
    { label: `Restore “${titleOf(top)}”` },
  );
}
