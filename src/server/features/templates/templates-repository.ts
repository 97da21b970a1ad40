import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TEMPLATE_ORDERS } from '../../../contract/calls/templates.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import { hasName } from '../../core/db/order-by-name.ts';
import type { Paging } from '../../core/db/paging.ts';
import type { TemplateTable } from './table.ts';

export type TemplateRow = Selectable<TemplateTable>;

/** Templates of an organization by name unless another order is asked for, and how many there are on all pages. */
export const listTemplates = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof TEMPLATE_ORDERS)[number] },
): Promise<{ rows: TemplateRow[]; total: number }> =>
  listInOrder(db, 'templates', organizationId, query, { orders: { edited: sql.ref('updated_at') } });

export async function findTemplate(db: Database, organizationId: number, id: number): Promise<TemplateRow | undefined> {
  return db
    .selectFrom('templates')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Like `findTemplate`, and locks the row until the transaction ends. */
export async function lockTemplate(db: Database, organizationId: number, id: number): Promise<TemplateRow | undefined> {
  const query = db
    .selectFrom('templates')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);
  return forUpdate(db, query).executeTakeFirst();
}

export async function insertTemplate(db: Database, values: Insertable<TemplateTable>): Promise<number> {
  const { id } = await db.insertInto('templates').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateTemplate(db: Database, id: number, values: Updateable<TemplateTable>): Promise<void> {
  await db.updateTable('templates').set(values).where('id', '=', id).execute();
}

export async function deleteTemplate(db: Database, id: number): Promise<void> {
  await db.deleteFrom('templates').where('id', '=', id).execute();
}

/** Where a template is used, as sentences; at most a few of them. */
export async function usesOfTemplate(db: Database, organizationId: number, id: number): Promise<string[]> {
  const rooms = await db
    .selectFrom('rooms')
    .select('title')
    .where('organization_id', '=', organizationId)
    .where('template_id', '=', id)
    .orderBy('id')
    .limit(5)
    .execute();
  const published = await db
    .selectFrom('publications')
    .innerJoin('rooms', 'rooms.id', 'publications.room_id')
    .select('rooms.title')
    .distinct()
    .where('publications.organization_id', '=', organizationId)
    .where('publications.template_id', '=', id)
    .where((where) =>
      where.or([
        where('is_scheduled', '=', 1),
        where('publications.id', '=', (query) =>
          query
            .selectFrom('publications as own')
            .select(({ fn }) => fn.max('own.id').as('last'))
            .whereRef('own.room_id', '=', 'publications.room_id')
            .where('own.is_scheduled', '=', 0),
        ),
      ]),
    )
    .limit(5)
    .execute();
  const organizations = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .where('template_id', '=', id)
    .execute();
  return [
    ...rooms.map(({ title }) => `Space ${title}`),
    ...published.map(({ title }) => `Space ${title}, as it is published`),
    ...organizations.map(() => 'Settings of the organization'),
  ];
}

/** Every template of an organization, as they were added. */
export async function listAllTemplates(db: Database, organizationId: number): Promise<TemplateRow[]> {
  return db.selectFrom('templates').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute();
}

/** Ids of the templates with a name, as they were added. */
export async function findTemplatesNamed(db: Database, organizationId: number, name: string): Promise<number[]> {
  const rows = await db
    .selectFrom('templates')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(hasName(db, 'name', name))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
