import { z } from 'zod';

/** Version of the format: a manifest, documents by kind, and media by content. */
export const FORMAT_VERSION = 1;
export const FORMAT = 'enfilade-organization';
export const MANIFEST = 'manifest.json';

/** Kinds of an export, in the order of an import: each refers to kinds before it, except for links. */
export const KINDS = [
  'folders',
  'media_folders',
  'media',
  'feeds',
  'live_streams',
  'templates',
  'blocks',
  'rooms',
  'endpoints',
  'settings',
  'webhooks',
  'users',
  'tokens',
] as const;
export type Kind = (typeof KINDS)[number];

/** Nouns of the kinds. */
export const NOUNS: Record<Kind, string> = {
  folders: 'folder',
  media_folders: 'media folder',
  media: 'file',
  feeds: 'feed',
  live_streams: 'live stream',
  templates: 'template',
  blocks: 'block',
  rooms: 'room',
  endpoints: 'structure',
  settings: 'settings',
  webhooks: 'webhook',
  users: 'user',
  tokens: 'tokens',
};

/** Kinds of which each entry has a file of its own. The others have a list each. */
export const SEPARATE: ReadonlySet<Kind> = new Set(['rooms', 'tokens']);

/** Path of the list of a kind. */
export const listPath = (kind: Kind): string => `${kind}.json`;
/** Path of the content of a media file, by its hash. */
export const mediaPath = (hash: string): string => `media/${hash}`;

/** Path of an original upload, by its hash. */
export const originalPath = (hash: string): string => `originals/${hash}`;

/** Limit on the number of files in an export. */
export const MAX_FILES = 1_000_000;
/** Limit on the bytes of a document or list. */
export const MAX_JSON_BYTES = 256 * 1024 * 1024;
/** Limit on the total bytes of an export. */
export const MAX_TOTAL_BYTES = 2 * 1024 ** 4;

/** Paths that an export can contain. None of them leaves its folder. */
export const isKnownPath = (path: string): boolean =>
  /^(?:media|originals)\/[0-9a-f]{64}$/.test(path) ||
  /^(?:rooms|tokens)\/[a-z0-9-]{1,150}\.json$/.test(path) ||
  KINDS.some((kind) => !SEPARATE.has(kind) && path === listPath(kind));

const count = z.int().min(0);

/** The manifest of an export. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  product: z.string().max(40),
  exported_at: z.string().max(40),
  organization: z.string().max(255),
  kinds: z.array(z.enum(KINDS)).max(KINDS.length),
  originals: z.boolean(),
  counts: z.partialRecord(z.enum(KINDS), count),
  files: z
    .array(
      z.strictObject({
        path: z.string().max(200).refine(isKnownPath, 'unexpected file'),
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MAX_FILES),
});
export type Manifest = z.output<typeof manifestSchema>;

const name = z.string().min(1).max(255);
const path = z.string().max(1000);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The fields by which entries of an export are identified. All other fields are checked by the server, which knows their
 * limits.
 */
export const documentSchemas: Record<Kind, z.ZodType> = {
  folders: z.strictObject({ path: path.min(1) }),
  media_folders: z.strictObject({ path: path.min(1) }),
  media: z.looseObject({
    ...{ hash, name, type: z.string().max(32), folder: path },
    original: z.strictObject({ name, hash }).nullish(),
  }),
  feeds: z.looseObject({ name, type: z.string().max(32), feed_url: z.string().max(2000) }),
  live_streams: z.looseObject({ name, type: z.string().max(32), encoder: z.string().max(32).nullable() }),
  templates: z.looseObject({ name }),
  blocks: z.looseObject({ name, element: z.looseObject({ element: z.string() }) }),
  rooms: z.looseObject({ name, folder: path, elements: z.array(z.looseObject({ element: z.string() })) }),
  endpoints: z.looseObject({ path: path.min(1), name: z.string(), room: name.nullable(), room_folder: path }),
  settings: z.looseObject({ name }),
  webhooks: z.looseObject({ name, url: z.string().max(2000) }),
  users: z.looseObject({ email: z.string().max(254), name: z.string().max(120) }),
  tokens: z.strictObject({ path: path.min(1), tokens: z.array(z.looseObject({ token: z.string() })) }),
};
