import { z } from 'zod';
import { ENCODERS, FEED_TYPES, LIVE_STREAM_TYPES } from '../../src/contract/entities.ts';

/** Version of the format: a manifest, the room, and media by content hash. Version 1 had no feeds or live streams. */
export const BUNDLE_VERSION = 2;
export const MANIFEST = 'manifest.json';
export const ROOM = 'room.json';
/** Limits on the number of files in a bundle and on their total bytes. */
export const MAX_FILES = 5000;
export const MAX_BUNDLE_BYTES = 4 * 1024 * 1024 * 1024;

/** Path of a media file in a bundle, by the SHA-256 of its content. */
export const mediaPath = (hash: string): string => `media/${hash}`;

/** A feed that the room refers to: matched by name, and added if missing. */
export const feedEntry = z.strictObject({
  name: z.string().min(1).max(255),
  type: z.enum(FEED_TYPES),
  feed_url: z.string().max(2000),
});
/** A live stream that the room refers to. */
export const streamEntry = z.strictObject({
  name: z.string().min(1).max(255),
  type: z.enum(LIVE_STREAM_TYPES),
  encoder: z.enum(ENCODERS).nullable(),
});
/** Limit on feeds, and on live streams, per bundle. */
export const MAX_SOURCES = 200;

/** The manifest of a bundle. */
export const manifestSchema = z.strictObject({
  format: z.literal('enfilade-bundle'),
  version: z.literal([1, BUNDLE_VERSION]),
  media: z
    .array(
      z.strictObject({
        path: z.string().regex(/^media\/[0-9a-f]{64}$/),
        name: z.string().min(1).max(255),
        type: z.string().max(32),
        bytes: z.int().min(0),
      }),
    )
    .max(MAX_FILES),
  feeds: z.array(feedEntry).max(MAX_SOURCES).default([]),
  live_streams: z.array(streamEntry).max(MAX_SOURCES).default([]),
});
export type Manifest = z.output<typeof manifestSchema>;

/** Media URLs in a text, such as a document. */
export const MEDIA_ADDRESS = /\/media\/[0-9a-f]{64}\/[^"\\<>\s?#)']*/g;

/** Placeholder for the URL of a bundle's file in its documents; never a real URL. */
export const placeholderOf = (path: string, name: string): string => `/bundle/${path}/${encodeURIComponent(name)}`;
export const PLACEHOLDER = /\/bundle\/(media\/[0-9a-f]{64})\/([^"\\<>\s?#)']*)/g;
