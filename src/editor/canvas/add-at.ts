import { UNITS_PER_METER } from '../../../engine/document/constants.ts';
import { type Element, type ElementType, flatElementSchema } from '../../../engine/document/element.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { ElementChange } from '../../../engine/tools/marks/shown-fields.ts';
import type { Branch } from '../session/copies.ts';
import type { DocumentStore } from '../session/document-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { canvasOf } from './canvas-store.ts';

/** A new element of a type, with default values. */
export function newElement(type: ElementType, id: number): Element {
  return flatElementSchema.parse({ id, element: type });
}

/** Milliseconds for a large model to load and still be placed as part of the step that added it. */
const WITHIN = 60_000;

/** Places new elements on their surface, as part of the step that added them if that is still the last one. */
export function restAs(
  document: DocumentStore,
  changes: readonly ElementChange[],
  step: { label: string; merge: string },
): void {
  document.run(
    changes.map(({ id, fields }) => ({ type: 'element.update', id, fields })),
    { ...step, within: WITHIN },
  );
}

/** Adds an element with its descendants at the end of the room, on the surface beside others, and selects it. */
export function addAt(
  { document, selection }: Editor,
  { top: element, inside }: Branch,
  spot: Spot,
  label: string,
): void {
  const { placing } = canvasOf(document).tools ?? {};
  const { x, y, z } = placing?.positionOf(element, spot) ?? spot.position;
  const placed = { ...element, position_x: x, position_y: y, position_z: z };
  const step = { label, merge: `add ${element.id}` };
  document.run({ type: 'element.add', elements: [placed, ...inside], parent: null }, step);
  selection.select(element.id);
  placing?.rest(element.id, spot, (changes) => restAs(document, changes, step));
}

/**
 * Adds images at a spot as one step, in order at the end of the room, and selects them: in rows at eye level on a wall,
 * side by side elsewhere.
 */
export function addAllAt(editor: Editor, images: readonly Element[], spot: Spot): void {
  const { document, selection } = editor;
  const [first] = images;
  if (!first) return;
  if (images.length === 1) {
    addAt(editor, { top: first, inside: [] }, spot, `Add “${first.name}”`);
    return;
  }
  const { tools, eyeLevel } = canvasOf(document);
  const hung = tools?.placing.hang(images, spot, (eyeLevel / 100) * UNITS_PER_METER);
  const places = hung?.map(({ position }) => position) ?? tools?.placing.positionsOf(images, spot);
  const step = { label: `Add ${images.length} images`, merge: `add ${first.id}` };
  const adds = images.map((image, nth) => {
    const { x, y, z } = places?.[nth] ?? spot.position;
    const rotation_y = hung?.[nth]?.turn ?? image.rotation_y;
    const element = { ...image, position_x: x, position_y: y, position_z: z, rotation_y };
    return { type: 'element.add', elements: [element], parent: null } as const;
  });
  document.run(adds, step);
  selection.selectMany(images.map(({ id }) => id));
  if (!hung) for (const { id } of images) tools?.placing.rest(id, spot, (changes) => restAs(document, changes, step));
}
