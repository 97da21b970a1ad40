import type { Insertable, Selectable, Updateable } from 'kysely';
import type { ChangedEntity } from '../../../contract/entities.ts';
import { nextTimestamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { forUpdate } from '../db/for-update.ts';
import type { NamedTable, NamedTables } from '../db/list-in-order.ts';
import type { Tables } from '../db/tables.ts';
import { orNotFound } from '../http/found.ts';
import { refuseStale } from '../http/stale.ts';
import { type Author, recordChange } from './record-change.ts';
import type { NewRecord } from './records.ts';

type Row<T extends NamedTables> = Selectable<Tables[T]> & Selectable<NamedTable>;
/** Columns that `create` fills in. */
type Filled = 'id' | 'organization_id' | 'created_at' | 'updated_at';

interface Recording<T extends NamedTables> {
  entity: ChangedEntity;
  /** Columns that the change log stores, without secrets; the row itself if missing. */
  logged?(row: Row<T>): object;
  /** Whether the bin can restore removed rows. */
  isRestorable?: boolean;
}

/** Records of rows that are removed along with another one. */
type Records = Iterable<NewRecord> | AsyncIterable<NewRecord>;

/** Finds, creates, updates and removes the rows of a table, and records each change. All of it runs in the caller's transaction. */
export function recordedRows<T extends NamedTables>(
  table: T,
  { entity, logged = (row) => row, isRestorable = false }: Recording<T>,
) {
  const one = (db: Database, organizationId: number, id: number) =>
    db.selectFrom<NamedTables>(table).selectAll().where('organization_id', '=', organizationId).where('id', '=', id);

  const find = async (db: Database, organizationId: number, id: number): Promise<Row<T> | undefined> =>
    (await one(db, organizationId, id).executeTakeFirst()) as Row<T> | undefined;

  /** Like `find`, and locks the row until the transaction ends. */
  const lock = async (db: Database, organizationId: number, id: number): Promise<Row<T> | undefined> =>
    (await forUpdate(db, one(db, organizationId, id)).executeTakeFirst()) as Row<T> | undefined;

  async function create(db: Database, author: Author, values: Omit<Insertable<Tables[T]>, Filled>): Promise<Row<T>> {
    const at = nextTimestamp(author.clock);
    const owned = { ...values, organization_id: author.organizationId, created_at: at, updated_at: at };
    const row = (await db
      .insertInto<NamedTables>(table)
      .values(owned as never)
      .returningAll()
      .executeTakeFirstOrThrow()) as Row<T>;
    await recordChange(db, author, { action: 'create', entity, entity_id: row.id, name: row.name, after: logged(row) });
    return row;
  }

  /**
   * @param seen version that the caller read; undefined skips the check
   * @param facts further facts for the change log
   * @throws ApiError not_found or stale
   */
  async function update(
    db: Database,
    author: Author,
    id: number,
    edit: {
      seen: string | undefined;
      values(row: Row<T>): Updateable<Tables[T]> | Promise<Updateable<Tables[T]>>;
      facts?: object;
    },
  ): Promise<Row<T>> {
    const row = orNotFound(await lock(db, author.organizationId, id));
    refuseStale(row.updated_at, edit.seen);
    const values = { ...(await edit.values(row)), updated_at: nextTimestamp(author.clock, row.updated_at) };
    await db
      .updateTable<NamedTables>(table)
      .set(values as never)
      .where('id', '=', id)
      .execute();
    const after = { ...row, ...values };
    const about = {
      entity_id: id,
      name: after.name,
      row,
      before: logged(row),
      after: logged(after),
      facts: edit.facts,
    };
    await recordChange(db, author, { action: 'update', entity, ...about });
    return after;
  }

  /**
   * @param recordsOf runs before the row is deleted and returns records of what is removed with it
   * @throws ApiError not_found
   */
  async function remove(
    db: Database,
    author: Author,
    id: number,
    recordsOf?: (row: Row<T>) => Records | Promise<Records>,
  ): Promise<Row<T>> {
    const row = orNotFound(await lock(db, author.organizationId, id));
    const records = await recordsOf?.(row);
    const about = {
      entity_id: id,
      name: row.name,
      row,
      before: logged(row),
      isRestorable,
      ...(records && { records }),
    };
    await recordChange(db, author, { action: 'delete', entity, ...about });
    await db.deleteFrom<NamedTables>(table).where('id', '=', id).execute();
    return row;
  }

  return { find, lock, create, update, remove };
}
