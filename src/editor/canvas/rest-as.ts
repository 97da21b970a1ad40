import type { ElementChange } from '../../../engine/tools/subjects.ts';
import type { DocumentStore } from '../session/document-store.ts';

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
