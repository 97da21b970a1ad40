import type { ImportKind } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import {
  findStepContent,
  insertStep,
  listSteps,
  type StoredStepHead,
} from '../../store/imports/import-steps-repository.ts';
import type { UndoStep } from './undo-step.ts';

/** Steps that are written, and looked through, at once. */
const STEPS_PER_PAGE = 500;

/** A step without what it brings back. */
export type StepHead = Omit<StoredStepHead, 'kind' | 'done'> & {
  kind: ImportKind;
  done: UndoStep['done'];
};

/** Keeps what takes things back, in the order in which they were done, and empties the list. */
export async function keepSteps(db: Database, job: number, undoing: UndoStep[]): Promise<void> {
  for (const step of undoing) {
    const { kind, done, id, name } = step;
    const mark = 'mark' in step ? step.mark : null;
    const row = { import_id: job, kind, done, entity_id: id, mark, name, content: JSON.stringify(step) };
    await insertStep(db, row);
  }
  undoing.length = 0;
}

/** The steps of an import, last first, without what they bring back. */
export async function* stepsOf(db: Database, job: number): AsyncGenerator<StepHead> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await listSteps(db, job, before, STEPS_PER_PAGE);
    yield* rows as StepHead[];
    if (rows.length < STEPS_PER_PAGE) return;
    before = rows.at(-1)!.id;
  }
}

/** What one step brings back. */
export async function readStep(db: Database, { id }: StepHead): Promise<UndoStep> {
  return JSON.parse(await findStepContent(db, id));
}
