import type { z } from 'zod';
import { mergeFields } from '../../../../engine/document/commands.ts';
import { isRecord } from '../../../../engine/document/field-paths.ts';
import type { Template } from '../../../../engine/document/template.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { templateFileProblem } from '../../../contract/template-file.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { copyName } from '../../core/copy-name.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { checkFiles } from '../media/service.ts';
import { removedPosters } from '../posters/poster-files.ts';
import { putPoster, readPosterRow } from '../posters/queries.ts';
import type { PosterOwner } from '../posters/service.ts';
import {
  findTemplate,
  insertTemplate,
  lockTemplate,
  rowFromTemplate,
  type TemplateRow,
  templateFields,
  templateFileKinds,
  templateFromRow,
  usesOfTemplate,
} from './queries.ts';

const templateRows = recordedRows('templates', { entity: 'template', isRestorable: true });

/**
 * Copies a template; the copy shares its files.
 * @param name name of the copy; derived from the original's by default
 * @returns id of the copy
 * @throws ApiError not_found
 */
export async function copyTemplate(context: CallContext, id: number, name?: string): Promise<number> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const row = orNotFound(await lockTemplate(db, organizationId, id));
    const at = nextTimestamp(clock);
    const { id: _id, ...columns } = { ...row, name: name ?? copyName(row.name), created_at: at, updated_at: at };
    const copyId = await insertTemplate(db, columns);
    const poster = await readPosterRow(db, 'template_id', id);
    const its = { subject: 'template_id', id: copyId } as const;
    if (poster) await putPoster(db, context, its, poster.kind === 'chosen' ? 'chosen' : 'drawn', poster);
    const about = { entity_id: copyId, name: columns.name, after: columns, facts: { copied_from: row.id } };
    await recordChange(db, context, { action: 'create', entity: 'template', ...about });
    return copyId;
  });
}

/** Removes an unused template. @throws ApiError not_found, or in_use listing its uses */
export async function removeTemplate(context: CallContext, id: number): Promise<void> {
  const { organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    // No foreign key covers the template in the organization's settings.
    await lockOrganization(db, organizationId);
    await templateRows.remove(db, context, id, async (row) => {
      const uses = await usesOfTemplate(db, organizationId, row.id);
      const isUsed = uses.length > 0 || (await usesOfTemplate(everywhere(db), organizationId, row.id)).length > 0;
      if (isUsed) throw new ApiError('in_use', { error: ['This template is still in use.', ...uses] });
      return removedPosters(db, clock, 'template_id', row.id);
    });
  });
}

/**
 * Changes a template.
 * @throws ApiError not_found, stale or invalid
 */
export async function updateTemplate(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.templates.update.body>,
): Promise<void> {
  await context.db.transaction().execute((db) => updateTemplateIn(db, context, id, body));
}

/** Changes a template within the caller's transaction. @throws ApiError not_found, stale or invalid */
export async function updateTemplateIn(
  db: Database,
  author: Author,
  id: number,
  { updated_at: seen, ...fields }: z.output<typeof calls.templates.update.body>,
): Promise<void> {
  const { organizationId } = author;
  const values = async (row: TemplateRow) => {
    const checked = templateFields.parse(mergeFields(templateFromRow(row, new Map()), fields));
    await checkTemplateFiles(db, organizationId, checked);
    await checkTemplateShell(db, organizationId, checked, row);
    return rowFromTemplate(checked);
  };
  await templateRows.update(db, author, id, { seen, values });
}

/**
 * Checks the files of a template against the media library.
 * @throws ApiError invalid with the fields
 */
export async function checkTemplateFiles(
  db: Database,
  organizationId: number,
  template: z.output<typeof templateFields>,
): Promise<void> {
  const kinds = Object.entries(templateFileKinds(template.model_type));
  const uses = kinds.map(([field, allowed]) => ({ field, id: template[field as 'file_id'] ?? null, kinds: allowed }));
  await checkFiles(db, organizationId, uses);
}

/**
 * Rejects a change that leaves a template without model or image, or with an invalid 360° photo.
 * @param before the stored template; null for a new one
 * @throws ApiError invalid with the file
 */
async function checkTemplateShell(
  db: Database,
  organizationId: number,
  template: Pick<Template, 'model_type' | 'file_id'>,
  before: Pick<TemplateRow, 'model_type' | 'file_id'> | null,
): Promise<void> {
  const { file_id } = template;
  const row =
    file_id !== null &&
    (await db
      .selectFrom('media')
      .select(['width', 'height', 'details'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', file_id)
      .executeTakeFirst());
  const file = row ? { ...row, details: JSON.parse(row.details) as Record<string, unknown> } : null;
  const problem = templateFileProblem(template, file, before as Pick<Template, 'model_type' | 'file_id'> | null);
  if (problem) throw new ApiError('invalid', { file_id: [problem] });
}

/**
 * Adds a template.
 * @returns its id
 * @throws ApiError or ZodError with the invalid fields
 */
export async function createTemplate(
  author: Author & { db: Database },
  input: z.output<typeof calls.templates.create.body>,
): Promise<number> {
  return author.db.transaction().execute((db) => createTemplateIn(db, author, input));
}

/**
 * Adds a template within the caller's transaction.
 * @param options whether it may lack its photo or model: the places of a tour have their own photos
 * @returns its id
 * @throws ApiError or ZodError with the invalid fields
 */
export async function createTemplateIn(
  db: Database,
  author: Author,
  input: z.output<typeof calls.templates.create.body>,
  { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {},
): Promise<number> {
  const { organizationId } = author;
  const checked = newTemplate(input);
  await checkTemplateFiles(db, organizationId, checked);
  if (!mayBeEmpty) await checkTemplateShell(db, organizationId, checked, null);
  const { id } = await templateRows.create(db, author, rowFromTemplate(checked));
  return id;
}

/** Default camera rights for a 360° photo: without rotation, visitors would only see straight ahead. */
const LOOK_AROUND = { rotate: true, rotate_left_button: true, zoom: true } as const;

/**
 * The fields of a new template. A 360° photo can be rotated and zoomed unless its camera says otherwise.
 * @param input given fields; missing ones get their defaults
 * @throws ZodError with the invalid fields
 */
export function newTemplate(input: object): ReturnType<typeof templateFields.parse> {
  const { model_type, config = {} } = input as Record<string, unknown>;
  const camera = isRecord(config) ? (config.camera ?? {}) : null;
  // An invalid camera is rejected by the schema.
  if (model_type !== 'pano' || !isRecord(config) || !isRecord(camera)) return templateFields.parse(input);
  return templateFields.parse({ ...input, config: { ...config, camera: { ...LOOK_AROUND, ...camera } } });
}

/** The poster of a template: drawn as an empty space, unless an image is chosen. */
export const TEMPLATE: PosterOwner = {
  subject: 'template_id',
  entity: 'template',
  find: findTemplate,
  lock: async (db, organizationId, id) => {
    const row = await lockTemplate(db, organizationId, id);
    return row && { name: row.name, room_id: null };
  },
};
