import { z } from 'zod';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { embedOrigin, embedSite } from '../embed-origin.ts';
import { embeddingSchema, moduleSchema, organizationSchema, stamp, usageSchema } from '../entities.ts';

/** Maximum sites that may embed an organization's rooms. */
export const MAX_DOMAINS = 100;

const {
  font_file: _file,
  logo_file: _logo,
  modules: _modules,
  updated_at: _stamp,
  embed_domains: _domains,
  ...fields
} = organizationSchema.shape;

/** The caller's organization. */
export const organizations = {
  read: call({
    method: 'GET',
    path: '/backend/organizations',
    summary: 'Returns the organization and its settings.',
    access: 'settings.view_any',
    output: organizationSchema,
    errors: ['not_found'],
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'organizations.read' },
    path: '/backend/organizations',
    summary: 'Updates the given fields. `embed_domains`, `texts` and `statement` are replaced as a whole.',
    access: 'settings.update',
    body: z.strictObject({
      ...editShape(fields),
      embed_domains: z
        .array(
          z.strictObject({
            id: z.int().nullish().describe('Ignored; the order of the list applies.'),
            domain: embedOrigin,
          }),
        )
        .max(MAX_DOMAINS, `Use at most ${MAX_DOMAINS} sites.`)
        .optional()
        .describe('Sites allowed to embed rooms. Empty entries are ignored.'),
      updated_at: stamp.optional(),
    }),
    output: organizationSchema,
    errors: ['not_found'],
    done: 'The settings have been saved.',
  }),
  embedding: call({
    method: 'GET',
    path: '/backend/organizations/embedding',
    summary: 'Lists sites allowed to embed rooms, and the users with the right to change them.',
    access: 'session',
    output: embeddingSchema,
  }),
  allowSite: call({
    method: 'POST',
    path: '/backend/organizations/embedding',
    summary: 'Allows another site to embed rooms. Has no effect if it is already allowed.',
    access: 'settings.update',
    body: z.strictObject({
      site: embedSite.describe('URL of the site or any of its pages. Only scheme, host and port are used.'),
    }),
    output: embeddingSchema,
  }),
  usage: call({
    method: 'GET',
    path: '/backend/organizations/usage',
    summary: "Returns the organization's usage and limits.",
    access: 'settings.view_any',
    output: z.array(usageSchema),
  }),
};

/** Services available to rooms. */
export const modules = {
  list: call({
    method: 'GET',
    path: '/backend/modules',
    summary: 'Lists available services.',
    access: 'session',
    output: z.array(moduleSchema),
  }),
};
