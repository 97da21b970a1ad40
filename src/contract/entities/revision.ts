import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { roomSchema } from '../../../engine/document/room.ts';
import { authorSchema } from './author.ts';

/** Why a revision was created: by a user, during editing, or before restoring another one. */
export const REVISION_KINDS = ['named', 'automatic', 'before_restore'] as const;
export type RevisionKind = (typeof REVISION_KINDS)[number];

/** Maximum revisions per space: named, and automatic, of which the oldest are deleted. */
export const MAX_REVISIONS = { named: 200, automatic: 50 } as const;

/** Interval between automatic revisions of a space, in milliseconds. */
export const AUTOMATIC_REVISION_INTERVAL = 10 * 60 * 1000;

export const revisionName = line(120).min(1, 'Give the revision a name.');

export const revisionSchema = z.object({
  id: id.describe('Revision ID.'),
  room_id: id.describe('Space of the revision.'),
  kind: z.enum(REVISION_KINDS).describe('Reason for the revision.'),
  name: line(120).describe('Revision name; empty for automatic revisions.'),
  at: z.string().describe('Creation time in UTC.'),
  user: authorSchema.nullable().describe('User who created it or was editing; null for the server.'),
  elements: z.int().describe('Number of elements.'),
});
export type Revision = z.output<typeof revisionSchema>;

/** A revision with its saved space. */
export const fullRevisionSchema = revisionSchema.extend({
  room: roomSchema.describe('The space at that time, with its current files, template and live streams.'),
});
