import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';

/** Maximum publications stored per space. */
export const MAX_PUBLICATIONS = 20;

/** Maximum lines that describe how a space differs from its published version. */
export const MAX_REPORTED_CHANGES = 200;

/** Validity of a preview link in seconds. */
export const PREVIEW_SECONDS = { min: 60, max: 7 * 24 * 60 * 60 } as const;

/** Local date and time without an offset, such as 2026-03-29T02:30, in a time zone given separately. */
export const localMoment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/, 'Use a date and time such as 2026-03-29T19:55.')
  .refine((text) => text < '9999', 'Use a year up to 9998.')
  .refine((text) => {
    const instant = Date.parse(`${text}Z`);
    return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
  }, 'There is no such date or time.');

/** A publication: a revision and when visitors start to see it. */
export const publicationEntrySchema = z.object({
  id: id.describe('Id of the publication.'),
  revision_id: id.describe('Revision that it shows.'),
  revision_name: line(120).describe('Name of that revision; empty where it has none.'),
  revision_at: z.string().describe('When that revision was made, UTC.'),
  at: z.string().describe('From when it counts, UTC.'),
  zone: z.string().nullable().describe('IANA time zone that it was scheduled in; null where it was not scheduled.'),
  user: authorSchema.nullable().describe('Who published or scheduled it.'),
});
export type PublicationEntry = z.output<typeof publicationEntrySchema>;

/** Publications of a space, shown by structures in published mode. */
export const publicationSchema = z.object({
  room_id: id.describe('Space that it is of.'),
  published: publicationEntrySchema
    .nullable()
    .describe('What is published now; null where nothing is, and structures that show it as published are closed.'),
  scheduled: publicationEntrySchema.nullable().describe('What will be published; null where nothing is scheduled.'),
  past: z
    .array(publicationEntrySchema)
    .describe('Earlier publications, newest first; the last 20 are kept, the present one included.'),
  changes: z
    .array(z.string())
    .describe(
      'How the space differs from what is published, one line for each difference; at most 200. Empty where nothing is published.',
    ),
  changes_count: z.int().describe('Number of differences, however many have a line.'),
});
export type Publication = z.output<typeof publicationSchema>;
