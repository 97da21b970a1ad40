import type { Selectable } from 'kysely';
import type { ImportKind } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import type { ImportStepTable } from '../../base/db/tables.ts';
import type { UndoStep } from './undo-step.ts';

/** Steps that are written, and looked through, at once. */
const AT_ONCE = 500;

/** A step without what it brings back. */
export type StepHead = Pick<Selectable<ImportStepTable>, 'id' | 'entity_id' | 'mark' | 'name'> & {
  kind: ImportKind;
  done: UndoStep['done'];
};

/** Keeps what takes things back, in the order in which they were done, and empties the list. */
export async function keepSteps(db: Database, job: number, undoing: UndoStep[]): Promise<void> {
  for (const step of undoing) {
    const { kind, done, id, name } = step;
    const mark = 'mark' in step ? step.mark : null;
    const row = { import_id: job, kind, done, entity_id: id, mark, name, content: JSON.stringify(step) };
    await db.insertInto('import_steps').values(row).execute();
  }
  undoing.length = 0;
}

/** The steps of an import, last first, without what they bring back. */
export async function* stepsOf(db: Database, job: number): AsyncGenerator<StepHead> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await db
      .selectFrom('import_steps')
      .select(['id', 'kind', 'done', 'entity_id', 'mark', 'name'])
      .where('import_id', '=', job)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(AT_ONCE)
      .execute();
    yield* rows as StepHead[];
    if (rows.length < AT_ONCE) return;
    before = rows.at(-1)!.id;
  }
}

/** What one step brings back. */
export async function readStep(db: Database, { id }: StepHead): Promise<UndoStep> {
  const query = db.selectFrom('import_steps').select('content').where('id', '=', id);
  return JSON.parse((await query.executeTakeFirstOrThrow()).content);
}
