import type { Insertable } from 'kysely';
import { type Template, templateSchema } from '../../../../engine/document/template.ts';
import type { Files } from '../media/files-repository.ts';
import type { TemplateTable } from './table.ts';
import { TEMPLATE_FILES } from './template-files.ts';
import type { TemplateRow } from './templates-repository.ts';

/** What an edit of a template may set, with its defaults. */
export const templateFields = templateSchema.omit({
  id: true,
  file: true,
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
  return {
    ...fields,
    model_type: row.model_type as Template['model_type'],
    hotspot_style: row.hotspot_style as Template['hotspot_style'],
    config: JSON.parse(row.config),
    ...(Object.fromEntries(references) as Record<keyof typeof TEMPLATE_FILES, Template['file']>),
  };
}

/** Columns of a checked template. */
export const rowFromTemplate = (
  fields: Omit<Template, 'id' | keyof typeof TEMPLATE_FILES>,
): Omit<Insertable<TemplateTable>, 'organization_id' | 'created_at' | 'updated_at'> => ({
  ...fields,
  config: JSON.stringify(fields.config),
});
