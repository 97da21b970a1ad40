import { z } from 'zod';

/** Version of the format: a manifest, the room, and media by their content. */
export const BUNDLE_VERSION = 1;
export const MANIFEST = 'manifest.json';
export const ROOM = 'room.json';
/** Most files in a bundle, and most bytes of all of them. */
export const MOST_FILES = 5000;
export const MOST_BYTES = 4 * 1024 * 1024 * 1024;

/** Where a file of media stands in a bundle: by the SHA-256 of its content. */
export const mediaPath = (hash: string): string => `media/${hash}`;

/** What a bundle says of itself. */
export const manifestSchema = z.strictObject({
  format: z.literal('enfilade-bundle'),
  version: z.literal(BUNDLE_VERSION),
  media: z
    .array(
      z.strictObject({
        path: z.string().regex(/^media\/[0-9a-f]{64}$/),
        name: z.string().min(1).max(255),
        type: z.string().max(32),
        bytes: z.int().min(0),
      }),
    )
    .max(MOST_FILES),
});
export type Manifest = z.output<typeof manifestSchema>;

/** Addresses of media in a text, such as a document. */
export const MEDIA_ADDRESS = /\/media\/[0-9a-f]{64}\/[^"\\<>\s?#)']*/g;

/** What stands for the address of a bundle's file in its documents; never an address itself. */
export const placeholderOf = (path: string, name: string): string => `/bundle/${path}/${encodeURIComponent(name)}`;
export const PLACEHOLDER = /\/bundle\/(media\/[0-9a-f]{64})\/([^"\\<>\s?#)']*)/g;
