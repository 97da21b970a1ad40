import { z } from 'zod';
import { call } from '../call.ts';
import { idList } from '../inputs.ts';

/** Maximum structures named for a static site. */
const MAX_SITE_PAGES = 500;

/** A static site of structures. */
export const buildSite = call({
  method: 'GET',
  path: '/backend/endpoints/site',
  summary: 'Returns public structures as a static site: a ZIP of files for any web server.',
  access: 'endpoints.view_any',
  query: z.strictObject({
    ids: idList(MAX_SITE_PAGES).optional().describe('Comma-separated structure IDs; all public ones if omitted.'),
    include_protected: z.literal('1').optional().describe('Includes protected structures, open to everyone.'),
    kiosk: z.coerce
      .number()
      .int()
      .min(10)
      .max(3600)
      .optional()
      .describe('Seconds of inactivity until a kiosk restarts.'),
    archive: z.literal('1').optional().describe('BagIt archive of one structure, with originals.'),
    origin: z
      .string()
      .max(300)
      .regex(/^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?$/, 'Use an origin such as https://www.example.com.')
      .optional()
      .describe('Origin in canonical URLs.'),
  }),
  output: z.file(),
  download: 'application/zip',
  errors: ['not_found'],
});
