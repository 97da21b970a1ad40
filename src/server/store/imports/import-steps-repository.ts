import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../base/db/database.ts';
import type { ImportStepTable } from '../../base/db/tables.ts';

/** A step without what it brings back. */
export type StoredStepHead = Pick<Selectable<ImportStepTable>, 'id' | 'kind' | 'done' | 'entity_id' | 'mark' | 'name'>;

/** Some steps of an import from one on backwards, last first. @param before id that they stand before */
export async function listSteps(
  db: Database,
  importId: number,
  before: number,
  limit: number,
): Promise<StoredStepHead[]> {
  return db
    .selectFrom('import_steps')
    .select(['id', 'kind', 'done', 'entity_id', 'mark', 'name'])
    .where('import_id', '=', importId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What the steps of an import did, each kind once. */
export async function listStepKinds(db: Database, importId: number): Promise<Pick<StoredStepHead, 'kind' | 'done'>[]> {
  return db.selectFrom('import_steps').select(['kind', 'done']).distinct().where('import_id', '=', importId).execute();
}

/** What a step brings back, as JSON. */
export async function findStepContent(db: Database, id: number): Promise<string> {
  const query = db.selectFrom('import_steps').select('content').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).content;
}

export async function insertStep(db: Database, values: Insertable<ImportStepTable>): Promise<void> {
  await db.insertInto('import_steps').values(values).execute();
}

export async function deleteStep(db: Database, id: number): Promise<void> {
  await db.deleteFrom('import_steps').where('id', '=', id).execute();
}

/** Deletes all steps of an import. */
export async function deleteStepsOf(db: Database, importId: number): Promise<void> {
  await db.deleteFrom('import_steps').where('import_id', '=', importId).execute();
}
