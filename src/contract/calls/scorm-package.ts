import { z } from 'zod';
import { call } from '../call.ts';
import { idParams } from '../inputs.ts';
import { COMPLETIONS, MAX_COMPLETION, SCORM_EDITIONS } from '../scorm.ts';

/** A room as a package for learning management systems. */
export const scormPackage = call({
  method: 'GET',
  path: '/backend/endpoints/:id/scorm',
  summary: 'Returns a SCORM package (ZIP) that shows a structure in a learning management system and reports progress.',
  access: 'endpoints.view_any',
  params: idParams,
  query: z.strictObject({
    edition: z.enum(SCORM_EDITIONS).default('2004').describe('SCORM 1.2, or 2004 4th Edition.'),
    completion: z
      .enum(COMPLETIONS)
      .default('entered')
      .describe('Completed on entering, after `amount` minutes, or after opening `amount` elements.'),
    amount: z.coerce.number().int().min(1).max(MAX_COMPLETION).default(1).describe('Minutes or number of elements.'),
  }),
  output: z.file(),
  download: 'application/zip',
  errors: ['not_found'],
});
