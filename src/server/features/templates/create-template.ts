import type { z } from 'zod';
import type { Template } from '../../../../engine/document/template.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { templateFileProblem } from '../../../contract/template-file.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { checkFiles } from '../media/check-files.ts';
import { newTemplate } from './new-template.ts';
import { templateFileKinds } from './template-files.ts';
import { rowFromTemplate, type templateFields } from './template-row.ts';
import { insertTemplate, type TemplateRow } from './templates-repository.ts';

/**
 * Holds the files of a template against the media library.
 * @throws ApiError invalid, naming the fields
 */
export async function checkTemplateFiles(
  db: Database,
  organizationId: number,
  template: z.output<typeof templateFields>,
): Promise<void> {
  const kinds = Object.entries(templateFileKinds(template.model_type));
  const uses = kinds.map(([field, allowed]) => ({ field, id: template[field as 'file_id'], kinds: allowed }));
  await checkFiles(db, organizationId, uses);
}

/**
 * Refuses a template that newly has nothing to draw, or a 360° photo that is none.
 * @param before the stored template; null for a new one
 * @throws ApiError invalid, naming the file
 */
export async function checkTemplateShell(
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
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function createTemplate(
  author: Author & { db: Database },
  input: z.output<typeof calls.templates.create.body>,
): Promise<number> {
  return author.db.transaction().execute((db) => createTemplateIn(db, author, input));
}

/**
 * Adds a template within the caller's transaction.
 * @returns its id
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function createTemplateIn(
  db: Database,
  author: Author,
  input: z.output<typeof calls.templates.create.body>,
): Promise<number> {
  const { organizationId, clock } = author;
  const checked = newTemplate(input);
  await checkTemplateFiles(db, organizationId, checked);
  await checkTemplateShell(db, organizationId, checked, null);
  const now = nextTimestamp(clock);
  const columns = rowFromTemplate(checked);
  const owned = { organization_id: organizationId, created_at: now, updated_at: now };
  const id = await insertTemplate(db, { ...columns, ...owned });
  const about = { entity_id: id, name: checked.name, after: columns };
  await recordChange(db, author, { action: 'create', entity: 'template', ...about });
  return id;
}
