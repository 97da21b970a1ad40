import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { templateSchema } from '../../../engine/document/template.ts';
import { editorName } from './author.ts';
import { templatePosterUrl } from './poster.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

export const adminTemplateSchema = templateSchema.extend({
  updated_at: stamp,
  poster_url: templatePosterUrl,
  used_in: z.array(z.object({ id, name: z.string() })).describe('Number of spaces that use the template.'),
  edited_by: editorName,
  policies: entryPolicies,
});
export type AdminTemplate = z.output<typeof adminTemplateSchema>;
