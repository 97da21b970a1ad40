import type { z } from 'zod';
import type { calls } from '../../contract/calls.ts';
import { nextStamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { checkFiles } from '../files/check-files.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { templateFileKinds } from './template-files.ts';
import { rowFromTemplate, templateFields } from './template-row.ts';
import { insertTemplate } from './templates-repository.ts';

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
 * Adds a template.
 * @returns its id
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function createTemplate(
  author: Author & { db: Database },
  input: z.output<typeof calls.templates.create.body>,
): Promise<number> {
  const { organizationId, clock } = author;
  const checked = templateFields.parse(input);
  return author.db.transaction().execute(async (db) => {
    await checkTemplateFiles(db, organizationId, checked);
    const now = nextStamp(clock);
    const columns = rowFromTemplate(checked);
    const owned = { organization_id: organizationId, created_at: now, updated_at: now };
    const id = await insertTemplate(db, { ...columns, ...owned });
    const about = { entity_id: id, name: checked.name, after: columns };
    await recordChange(db, author, { action: 'create', entity: 'template', ...about });
    return id;
  });
}
