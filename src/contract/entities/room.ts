import { z } from 'zod';
import { flatElementSchema } from '../../../engine/document/element.ts';
import { id } from '../../../engine/document/fields.ts';
import { roomSchema } from '../../../engine/document/room.ts';
import { editorName } from './author.ts';
import { folderId } from './folder.ts';
import { posterUrl } from './poster.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** A space in a list, without its elements. */
export const roomRowSchema = roomSchema.pick({ id: true, name: true, title: true, template_id: true }).extend({
  folder_id: folderId,
  updated_at: stamp,
  poster_url: posterUrl,
  used_in: z.array(z.object({ id, name: z.string() })).describe('Number of structures that show the space.'),
  edited_at: z.string().describe('Time of the last change to the space or its elements, in UTC.'),
  edited_by: editorName,
  policies: entryPolicies,
});

export type RoomRow = z.output<typeof roomRowSchema>;

const clock = {
  timestamp_current: z.number().describe('Server time in seconds since 1970, UTC.'),
  timestamp_start_of_day: z.number().describe('Start of the current UTC day in seconds since 1970.'),
  timestamp_end_of_day: z.number().describe('End of the current UTC day in seconds since 1970.'),
};

/** A space in the back-office, with all its elements. */
export const adminRoomSchema = roomSchema.extend({
  ...clock,
  seq: z.int().optional().describe("Sequence number of the last change in the space's log, if requested."),
  updated_at: stamp,
  branch_of: id.optional().describe('For the content of a proposal: the space that the proposal changes.'),
  policies: entryPolicies,
});
export type AdminRoom = z.output<typeof adminRoomSchema>;

/** A space as sent to visitors: without hidden elements. */
export const publicRoomSchema = roomSchema.extend({
  ...clock,
  tag: z.string().optional().describe("Hash of the space's content, from which subscriptions receive changes."),
});
export type PublicRoom = z.output<typeof publicRoomSchema>;

export const elementRowSchema = flatElementSchema.and(z.object({ room_id: id, updated_at: stamp }));
export type ElementRow = z.output<typeof elementRowSchema>;
