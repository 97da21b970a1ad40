import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type Template, templateSchema } from '../../../../engine/document/template.ts';
import type { TEMPLATE_ORDERS } from '../../../contract/calls/templates.ts';
import type { MediaType } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import { hasName } from '../../core/db/order-by-name.ts';
import type { Paging } from '../../core/db/paging.ts';
import type { Files } from '../media/queries.ts';
import type { TemplateTable } from './table.ts';

export type TemplateRow = Selectable<TemplateTable>;

/** Templates of an organization, by name by default, and the total over all pages. */
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

/** Like `findTemplate`, but locks the row until the transaction ends. */
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

/** Uses of a template as texts, up to a limit. */
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
    ...published.map(({ title }) => `Space ${title} (published version)`),
    ...organizations.map(() => 'Organization settings'),
  ];
}

/** Every template of an organization in insertion order. */
export async function listAllTemplates(db: Database, organizationId: number): Promise<TemplateRow[]> {
  return db.selectFrom('templates').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute();
}

/** Ids of the templates with a name in insertion order. */
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

/** Spaces that use templates, by template id. */
export async function usesOfTemplates(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { id: number; name: string }[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('rooms')
    .select(['id', 'title', 'template_id'])
    .where('template_id', 'in', ids)
    .orderBy('id')
    .execute();
  const uses = Map.groupBy(rows, ({ template_id }) => Number(template_id));
  return new Map([...uses].map(([id, found]) => [id, found.map(({ id, title }) => ({ id, name: title }))]));
}

/** Editable fields of a template, with defaults. */
export const templateFields = templateSchema.omit({
  id: true,
  file: true,
  video_file: true,
  background_file: true,
  hdr_file: true,
  font_file: true,
  logo_file: true,
});

/** Ids of the files that a template uses. */
export const templateFileIds = (row: TemplateRow): (number | null)[] =>
  Object.values(TEMPLATE_FILES).map((field) => row[field]);

/** A stored template as a document. */
export function templateFromRow(row: TemplateRow, files: Files): Template {
  const { organization_id, created_at, updated_at, ...fields } = row;
  const references = Object.entries(TEMPLATE_FILES).map(([name, field]) => {
    const id = row[field];
    return [name, id === null ? null : (files.get(id) ?? null)];
  });
  const template = {
    ...fields,
    model_type: row.model_type as Template['model_type'],
    hotspot_style: row.hotspot_style as Template['hotspot_style'],
    config: JSON.parse(row.config),
    ...(Object.fromEntries(references) as Record<keyof typeof TEMPLATE_FILES, Template['file']>),
  };
  if (row.video_file_id !== null) return template;
  // Documents of templates without a 360° video are those of earlier versions.
  const { video_file, video_file_id, ...others } = template;
  return others;
}

/** Columns of a validated template. */
export const rowFromTemplate = (
  fields: Omit<Template, 'id' | keyof typeof TEMPLATE_FILES>,
): Omit<Insertable<TemplateTable>, 'organization_id' | 'created_at' | 'updated_at'> => ({
  ...fields,
  config: JSON.stringify(fields.config),
});

/** File fields of a template, each with its id field. */
export const TEMPLATE_FILES = {
  file: 'file_id',
  video_file: 'video_file_id',
  background_file: 'background_file_id',
  hdr_file: 'hdr_file_id',
  font_file: 'font_file_id',
  logo_file: 'logo_file_id',
} as const;

/** Media types allowed in each id field of a template. */
export const templateFileKinds = (
  modelType: Template['model_type'],
): Record<(typeof TEMPLATE_FILES)[keyof typeof TEMPLATE_FILES], readonly MediaType[]> => ({
  // A grid has no file; an existing one may stay.
  file_id: { grid: ['object', 'image'], model: ['object'], pano: ['image'] }[modelType] as MediaType[],
  video_file_id: ['video'],
  background_file_id: ['image'],
  hdr_file_id: ['hdr'],
  font_file_id: ['font'],
  logo_file_id: ['image'],
});
