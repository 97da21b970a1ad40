import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** What an import keeps to take a thing back, as it stands in the column that this replaces. */
interface Step {
  kind: string;
  done: string;
  id: number;
  mark?: string;
  name: string;
}

/** What takes an import back stands in rows of its own: an import may be larger than memory. */
export const importSteps: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, index } = columnsFor(db);
    await table('import_steps')
      .addColumn('import_id', integer, refers('imports', 'cascade'))
      .addColumn('kind', 'text', required)
      .addColumn('done', 'text', required)
      .addColumn('entity_id', integer, required)
      .addColumn('mark', 'text')
      .addColumn('name', 'text', required)
      .addColumn('content', 'text', required)
      .execute();
    await index('import_steps', ['import_id', 'id']);
    const { rows } = await sql<{ id: number }>`select id from imports where content is not null order by id`.execute(
      db,
    );
    for (const { id } of rows) {
      const { rows: found } = await sql<{ content: string }>`select content from imports where id = ${id}`.execute(db);
      for (const step of JSON.parse(found[0]!.content) as Step[])
        await sql`
          insert into import_steps (import_id, kind, done, entity_id, mark, name, content) values
          (${id}, ${step.kind}, ${step.done}, ${step.id}, ${step.mark ?? null}, ${step.name}, ${JSON.stringify(step)})
        `.execute(db);
    }
    await db.schema.alterTable('imports').dropColumn('content').execute();
  },
};
