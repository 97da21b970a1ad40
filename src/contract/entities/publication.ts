import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';
import { SHOWS } from './endpoint.ts';

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
  }, "This date or time doesn't exist.");

/** A publication: a revision and when visitors start to see it. */
export const publicationEntrySchema = z.object({
  id: id.describe('Publication ID.'),
  revision_id: id.describe('Published revision.'),
  revision_name: line(120).describe('Revision name; empty if unnamed.'),
  revision_at: z.string().describe('Creation time of the revision in UTC.'),
  at: z.string().describe('Publication time in UTC.'),
  zone: z.string().nullable().describe('IANA time zone of the schedule; null if not scheduled.'),
  user: authorSchema.nullable().describe('User who published or scheduled it.'),
});
export type PublicationEntry = z.output<typeof publicationEntrySchema>;

/** A structure that shows a space. */
export const showingStructureSchema = z.object({
  id: id.describe('Structure ID.'),
  name: line().describe('Title.'),
  path: z.string().describe('Public path, such as /museum/east-wing.'),
  shows: z.enum(SHOWS).describe('Version of the space that visitors see: `edited` or `published`.'),
  is_visible: z.boolean().describe('Whether visitors can open it.'),
  is_protected: z.boolean().describe('Whether visitors need an access token.'),
});
export type ShowingStructure = z.output<typeof showingStructureSchema>;

/** Publications of a space, shown by structures in published mode. */
export const publicationSchema = z.object({
  room_id: id.describe('Published space.'),
  published: publicationEntrySchema
    .nullable()
    .describe('Current publication; null if none. Structures that show the published version are then closed.'),
  scheduled: publicationEntrySchema.nullable().describe('Scheduled publication; null if none.'),
  past: z
    .array(publicationEntrySchema)
    .describe('Previous publications, newest first. The last 20 are kept, including the current one.'),
  changes: z
    .array(z.string())
    .describe(
      'Differences between the space and its published version, one per line, at most 200. Empty if nothing is published.',
    ),
  changes_count: z.int().describe('Total number of differences.'),
  structures: z
    .array(showingStructureSchema)
    .describe('Structures that show the space, by path. Without the right to list structures, only public ones.'),
});
export type Publication = z.output<typeof publicationSchema>;
