import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Columns of a poster besides whose it is. */
const KEPT = [
  'id',
  'organization_id',
  'created_at',
  'updated_at',
  'room_id',
  'kind',
  'token',
  'small',
  'large',
  'file_id',
];

/**
 * Posters of templates and structures beside those of spaces, each with what it was drawn of; and which are to be drawn: by
 * whom now, and when again.
 */
export const postersOfAll: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, index } = columnsFor(db);
    await owned('posters_of_all')
      .addColumn('room_id', integer, refers('rooms', 'cascade', false))
      .addColumn('template_id', integer, refers('templates', 'cascade', false))
      .addColumn('endpoint_id', integer, refers('endpoints', 'cascade', false))
      .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('drawn', 'chosen')`))
      .addColumn('token', 'text', required)
      .addColumn('small', 'text', required)
      .addColumn('large', 'text', required)
      .addColumn('file_id', integer, refers('poster_files', 'set null', false))
      .addColumn('version', 'text')
      .execute();
    const columns = sql.join(KEPT.map((name) => sql.ref(name)));
    await sql`insert into posters_of_all (${columns}) select ${columns} from posters`.execute(db);
    await db.schema.dropTable('posters').execute();
    await db.schema.alterTable('posters_of_all').renameTo('posters').execute();
    if (integer === 'bigint')
      await sql`select setval(pg_get_serial_sequence('posters', 'id'), (select coalesce(max(id), 0) + 1 from posters), false)`.execute(
        db,
      );
    for (const owner of ['room_id', 'template_id', 'endpoint_id']) await index('posters', [owner], true);
    await index('posters', ['token'], true);
    await index('posters', ['organization_id']);
    await index('posters', ['file_id']);
    await owned('poster_drawings')
      .addColumn('room_id', integer, refers('rooms', 'cascade', false))
      .addColumn('template_id', integer, refers('templates', 'cascade', false))
      .addColumn('version', 'text', required)
      .addColumn('attempts', 'integer', zero)
      .addColumn('taken_till', 'text')
      .addColumn('next_at', 'text')
      .execute();
    for (const owner of ['room_id', 'template_id']) await index('poster_drawings', [owner], true);
  },
};
