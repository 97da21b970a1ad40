import { reaction } from 'mobx';
import { Draft, liftCommand, type OlderCommand } from '../../../engine/document/commands.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { DocumentStore } from '../session/document-store.ts';
import type { History, Step } from '../session/history.ts';
import type { EditStorage, StoredRow } from './edit-storage.ts';

/** Maximum number of stored steps, and of their characters. */
const [MAX_STEPS, MAX_CHARACTERS] = [200, 2_000_000];

type StoredStep = Step & { isUndone: boolean };

/** The history stored by an earlier page, including versions up to 0.15. @param room as shown now */
export function historyOf(rows: readonly StoredRow[], room: Room): History {
  const draft = new Draft(room);
  const lift = (command: OlderCommand) => liftCommand((parent) => draft.below(parent), command);
  const steps = rows
    .filter(({ kind }) => kind === 'step')
    .map(({ value }): StoredStep => {
      const step = value as StoredStep;
      return {
        ...step,
        edits: step.edits.map(({ command, inverse }) => ({ command: lift(command), inverse: lift(inverse) })),
      };
    });
  const ordered = steps.toSorted((a, b) => a.id - b.id);
  return {
    steps: ordered.map(({ isUndone: _, ...step }) => step),
    done: ordered.filter(({ isUndone }) => !isUndone).length,
  };
}

/**
 * Stores the newest steps of a document's history.
 * @returns a function that stops storing
 */
export function storeHistory(document: DocumentStore, storage: EditStorage): () => void {
  const sizes = new WeakMap<Step, number>();
  const sizeOf = (step: Step) => {
    const size = sizes.get(step) ?? JSON.stringify(step).length;
    sizes.set(step, size);
    return size;
  };
  const newest = ({ steps, done }: History) => {
    const rows = new Map<number, { step: Step; isUndone: boolean }>();
    let characters = 0;
    for (const [index, step] of [...steps.slice(-MAX_STEPS).entries()].toReversed()) {
      characters += sizeOf(step);
      if (characters > MAX_CHARACTERS) break;
      rows.set(step.id, { step, isUndone: index + Math.max(0, steps.length - MAX_STEPS) >= done });
    }
    return rows;
  };
  let written = newest(document.history);
  return reaction(
    () => document.history,
    (history) => {
      const rows = newest(history);
      const put = [...rows].filter(([id, { step, isUndone }]) => {
        const before = written.get(id);
        return before?.step !== step || before.isUndone !== isUndone;
      });
      const remove = [...written.keys()].filter((id) => !rows.has(id));
      written = rows;
      // If storage fails, only the history is lost; the queue reports the failure.
      void storage
        .write({
          put: put.map(([number, { step, isUndone }]) => ({ kind: 'step', number, value: { ...step, isUndone } })),
          remove: remove.map((number) => ({ kind: 'step', number })),
        })
        .catch(() => undefined);
    },
  );
}
