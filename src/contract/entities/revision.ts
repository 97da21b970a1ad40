import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { roomSchema } from '../../../engine/document/room.ts';
import { authorSchema } from './author.ts';

/** Why a revision was made: by a person, while a space was edited, or before another one was restored. */
export const REVISION_KINDS = ['named', 'automatic', 'before_restore'] as const;
export type RevisionKind = (typeof REVISION_KINDS)[number];

/** Most revisions of one space: those with a name, and the others, of which the oldest go. */
export const MAX_REVISIONS = { named: 200, automatic: 50 } as const;

/** Milliseconds between automatic revisions of one space. */
export const AUTOMATIC_EVERY = 10 * 60 * 1000;

export const revisionName = line(120).min(1, 'Give the revision a name.');

/** A revision of a space in a list. */
export const revisionSchema = z.object({
  id: id.describe('Id of the revision.'),
  room_id: id.describe('Space that it is of.'),
  kind: z.enum(REVISION_KINDS).describe('Why it was made.'),
  name: line(120).describe('Its name; empty for automatic ones.'),
  at: z.string().describe('When it was made, UTC.'),
  user: authorSchema.nullable().describe('Who made it, or was editing; null for the server itself.'),
  elements: z.int().describe('Number of elements in it.'),
});
export type Revision = z.output<typeof revisionSchema>;

/** A revision with the space as it was. */
export const fullRevisionSchema = revisionSchema.extend({
  room: roomSchema.describe('The space as it was; files, template and live streams are those of today.'),
});
