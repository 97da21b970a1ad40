import { templateSchema } from '../../engine/document/template.ts';
import type { AdminTemplate } from '../../src/contract/entities.ts';
import { normalizeSlug } from '../../src/contract/slug.ts';
import type { Exported } from '../report/export-items.ts';

/** A template as it is exported: without what only the server's answers say about it. */
export const exported = (template: AdminTemplate): Exported => ({
  document: Object.fromEntries(
    Object.keys(templateSchema.shape).map((name) => [name, template[name as keyof AdminTemplate]]),
  ),
  row: template,
  file: `${normalizeSlug(template.name) || 'template'}-${template.id}`,
});
