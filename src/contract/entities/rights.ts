import { z } from 'zod';

/** Areas of the back-office with separate rights. */
export const AREAS = ['endpoints', 'rooms', 'live_streams', 'access_tokens', 'settings', 'templates', 'media'] as const;
export type Area = (typeof AREAS)[number];
/** Rights within an area. */
export const RIGHTS = ['view_any', 'create', 'update', 'delete'] as const;
export type Right = (typeof RIGHTS)[number];

/** A user's rights in one area. */
export const rightsSchema = z.object({
  view_any: z.boolean().default(false).describe('Right to list and read.'),
  create: z.boolean().default(false).describe('Right to create.'),
  update: z.boolean().default(false).describe('Right to update.'),
  delete: z.boolean().default(false).describe('Right to delete.'),
});

/** A user's rights in every area. */
export const policiesSchema = z.object({
  endpoints: rightsSchema,
  rooms: rightsSchema,
  live_streams: rightsSchema,
  access_tokens: rightsSchema,
  settings: rightsSchema,
  templates: rightsSchema,
  media: rightsSchema.prefault({}).describe('Rights for the media library; none if omitted.'),
});
export type Policies = z.output<typeof policiesSchema>;

type Rights = Policies[Area];

const rights = (...given: Right[]): Rights =>
  Object.fromEntries(RIGHTS.map((right) => [right, given.includes(right)])) as Rights;
const NO_POLICIES = rights();
const SEES = rights('view_any');
const ALL = rights(...RIGHTS);

/** Preset rights by role. */
export const PRESETS: Record<'administrator' | 'editor' | 'operator' | 'reader', Policies> = {
  administrator: {
    endpoints: ALL,
    rooms: ALL,
    live_streams: ALL,
    access_tokens: ALL,
    settings: ALL,
    templates: ALL,
    media: ALL,
  },
  editor: {
    endpoints: ALL,
    rooms: ALL,
    live_streams: ALL,
    access_tokens: SEES,
    settings: NO_POLICIES,
    templates: ALL,
    media: ALL,
  },
  operator: {
    endpoints: rights('view_any', 'update'),
    rooms: SEES,
    live_streams: ALL,
    access_tokens: ALL,
    settings: NO_POLICIES,
    templates: SEES,
    media: SEES,
  },
  reader: {
    endpoints: SEES,
    rooms: SEES,
    live_streams: SEES,
    access_tokens: SEES,
    settings: NO_POLICIES,
    templates: SEES,
    media: SEES,
  },
};
export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as [Preset, ...Preset[]];

/**
 * What an API key may do besides its rights: change drafts; change what visitors see; delete.
 * Without `publish`, spaces that visitors see as edited can't be changed.
 */
export const SCOPES = ['write', 'publish', 'delete'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether `held` includes every right in `wanted`. */
export const isSubset = (wanted: Policies, held: Policies): boolean =>
  AREAS.every((area) => RIGHTS.every((right) => !wanted[area][right] || held[area][right]));

/** The preset that matches a set of rights; undefined for a custom set. */
export const presetOf = (policies: Policies): Preset | undefined =>
  PRESET_NAMES.find((name) => isSubset(policies, PRESETS[name]) && isSubset(PRESETS[name], policies));

/** The user's rights on one entry. */
export const entryPolicies = z.object({
  update: z.boolean().describe('Whether the caller may update it.'),
  delete: z.boolean().describe('Whether the caller may delete it.'),
});
