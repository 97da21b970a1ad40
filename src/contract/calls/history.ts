import { z } from 'zod';
import { roomSchema } from '../../../engine/document/room.ts';
import { call } from '../call.ts';
import { CHANGE_SIDES, CHANGED_ENTITIES, changeSchema } from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';

/** The change log: who changed what, and the state before. */
export const history = {
  list: call({
    method: 'GET',
    path: '/backend/history',
    summary: 'The change log, newest first: changes of what the caller may see the list of.',
    access: 'settings.view_any',
    query: listQuery.extend({
      entity: z.enum(CHANGED_ENTITIES).optional().describe('Only this kind of thing.'),
      entity_id: idText.optional().describe('Only this thing; together with `entity`.'),
      room_id: idText.optional().describe('Only this space and its elements.'),
      user_id: idText.optional().describe('Only what this user did.'),
      removed: z.enum(['0', '1']).default('0').describe('1 for only what can be restored.'),
    }),
    output: z.array(changeSchema),
    paged: true,
  }),
  readRoom: call({
    method: 'GET',
    path: '/backend/history/:id/room',
    summary:
      'The space before or after a change of it or of an element, with its template and files as they are now; null where it was not there. For 30 days.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.object({ side: z.enum(CHANGE_SIDES).describe('Which of both.') }),
    output: roomSchema.nullable(),
  }),
  restore: call({
    method: 'POST',
    path: '/backend/history/:id/restore',
    summary: 'Restores what this entry removed, with what belonged to it; within 30 days. Needs the right to add it.',
    access: 'session',
    params: idParams,
    output: z.object({
      entity: z.enum(CHANGED_ENTITIES).describe('What came back.'),
      id: z.int().describe('Its id.'),
      room_id: z.int().nullable().describe('Space that it belongs to.'),
      missing: z
        .array(z.string())
        .describe('What it used and is gone, each with its kind and name; those places are empty now.'),
    }),
    errors: ['invalid', 'quota', 'forbidden'],
    done: 'It has been restored.',
  }),
};
