import { z } from 'zod';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { embedOrigin, embedSite } from '../embed-origin.ts';
import { embeddingSchema, moduleSchema, organizationSchema, stamp, usageSchema } from '../entities.ts';

/** Maximum sites that may embed an organization's rooms. */
export const MAX_DOMAINS = 100;

const {
  font_file: _file,
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
    summary: 'The organization and its settings.',
    access: 'settings.view_any',
    output: organizationSchema,
    errors: ['not_found'],
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'organizations.read' },
    path: '/backend/organizations',
    summary:
      'Changes the fields that are given; the list of sites that may embed rooms, and own texts, are replaced as a whole.',
    access: 'settings.update',
    body: z.strictObject({
      ...editShape(fields),
      embed_domains: z
        .array(z.strictObject({ id: z.int().nullish().describe('Not used: the order counts.'), domain: embedOrigin }))
        .max(MAX_DOMAINS, `Use at most ${MAX_DOMAINS} sites.`)
        .optional()
        .describe('Sites that may embed rooms; empty ones are left out.'),
      updated_at: stamp.optional(),
    }),
    output: organizationSchema,
    errors: ['not_found'],
    done: 'The settings have been saved.',
  }),
  embedding: call({
    method: 'GET',
    path: '/backend/organizations/embedding',
    summary: 'Sites that may embed rooms, and the users who may change that.',
    access: 'session',
    output: embeddingSchema,
  }),
  allowSite: call({
    method: 'POST',
    path: '/backend/organizations/embedding',
    summary: 'Lets one more site embed rooms; the others stay. One that may already is left as it is.',
    access: 'settings.update',
    body: z.strictObject({
      site: embedSite.describe('Address of the site or of any page of it; its scheme, host and port count.'),
    }),
    output: embeddingSchema,
  }),
  usage: call({
    method: 'GET',
    path: '/backend/organizations/usage',
    summary: 'How much the organization has of what is limited, and how much it may have.',
    access: 'settings.view_any',
    output: z.array(usageSchema),
  }),
};

/** Services available to rooms. */
export const modules = {
  list: call({
    method: 'GET',
    path: '/backend/modules',
    summary: 'The services that are available.',
    access: 'session',
    output: z.array(moduleSchema),
  }),
};
