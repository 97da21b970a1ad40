import type { Element } from '../../../engine/document/element.ts';
import type { Spot } from '../../../engine/tools/picker.ts';
import type { ElementChange } from '../../../engine/tools/subjects.ts';
import type { DocumentStore } from '../session/document-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { canvasOf } from './canvas-store.ts';

/** Milliseconds that a large model may take to be drawn and still rest as part of the step that added it. */
const WITHIN = 60_000;

/** Has what was added rest where it was put: part of the step that added it, as long as that is the last one. */
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

/** Adds an element at a spot, at the end of the room, and selects it: beside what is there, resting on the surface. */
export function addAt({ document, selection }: Editor, element: Element, spot: Spot, label: string): void {
  const { placing } = canvasOf(document).tools ?? {};
  const { x, y, z } = placing?.positionOf(element, spot) ?? spot.position;
  const placed = { ...element, position_x: x, position_y: y, position_z: z };
  const index = document.room.elements.length;
  const step = { label, merge: `add ${element.id}` };
  document.run({ type: 'element.add', element: placed, parent: null, index }, step);
  selection.select(element.id);
  placing?.rest(element.id, spot, (changes) => restAs(document, changes, step));
}
