import { z } from 'zod';

/** Parts of the back-office that rights are given for. */
export const AREAS = ['endpoints', 'rooms', 'live_streams', 'access_tokens', 'settings', 'templates', 'media'] as const;
export type Area = (typeof AREAS)[number];
/** What a right allows in its area. */
export const RIGHTS = ['view_any', 'create', 'update', 'delete'] as const;
export type Right = (typeof RIGHTS)[number];

/** What a user may do in one area. */
export const rightsSchema = z.object({
  view_any: z.boolean().default(false).describe('May see the list and each entry.'),
  create: z.boolean().default(false).describe('May add.'),
  update: z.boolean().default(false).describe('May change.'),
  delete: z.boolean().default(false).describe('May remove.'),
});

/** A user's rights in every area. */
export const policiesSchema = z.object({
  endpoints: rightsSchema,
  rooms: rightsSchema,
  live_streams: rightsSchema,
  access_tokens: rightsSchema,
  settings: rightsSchema,
  templates: rightsSchema,
  media: rightsSchema.prefault({}).describe('Rights for the library of files; none when left out.'),
});
export type Policies = z.output<typeof policiesSchema>;

/** What the asking user may do with one entry. */
export const entryPolicies = z.object({
  update: z.boolean().describe('May change this one.'),
  delete: z.boolean().describe('May remove this one.'),
});
