import { z } from 'zod';
import { type Element, elementSchema } from '../../../engine/document/element.ts';
import { remapElement } from '../../../engine/document/remap.ts';
import { settleElements } from '../../../engine/document/room.ts';
import { walk } from '../../../engine/document/tree.ts';

/** What tells the clipboard's text apart from any other. */
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

/**
 * An element with all that is in it under new ids; what they say of each other goes on among them.
 * @param newIds as many ids as there are elements in it, and more
 */
function copyOf(element: Element, newIds: Iterator<number>): Element {
  const ids = new Map([...walk([element])].map(({ id }) => [id, newIds.next().value as number]));
  const copy = (original: Element): Element => ({
    ...remapElement(original, ids),
    id: ids.get(original.id)!,
    parent_element_id:
      original.parent_element_id === null ? null : (ids.get(original.parent_element_id) ?? original.parent_element_id),
    children: original.children.map(copy),
  });
  return copy(element);
}

/** Copies of elements under new ids. @param ids one for each of them and of what is in them */
export function copiesOf(elements: readonly Element[], ids: readonly number[]): Element[] {
  const left = ids.values();
  return elements.map((element) => copyOf(element, left));
}

/** Elements as text for the clipboard. @param origin where addresses of their files begin */
export const clipOf = (elements: readonly Element[], origin: string): string =>
  JSON.stringify({ kind: MARK, version: 1, origin, elements });

/** What a text from the clipboard holds. */
export interface Clip {
  /** Under the ids that they had where they come from. */
  elements: readonly Element[];
  /** Where addresses of their files begin; null where the text does not say. */
  origin: string | null;
}

/**
 * The elements that a text from the clipboard holds.
 * @param isKnown whether an element of the room has an id: links to others lead nowhere here
 * @returns null for a text that is something else
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
  if (!clip || settleElements(clip.elements, null).length > 0) return null;
  const own = new Set([...walk(clip.elements)].map(({ id }) => id));
  const loose = { get: (id: number) => (own.has(id) || isKnown(id) ? undefined : null) };
  const settle = (element: Element): Element => ({
    ...remapElement(element, loose),
    children: element.children.map(settle),
  });
  return { elements: clip.elements.map(settle), origin: clip.origin };
}
