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
    summary: 'Lists changes, newest first, limited to entity types the caller may list.',
    access: 'settings.view_any',
    query: listQuery.extend({
      entity: z.enum(CHANGED_ENTITIES).optional().describe('Filter by entity type.'),
      entity_id: idText.optional().describe('Filter by entity. Requires `entity`.'),
      room_id: idText.optional().describe('Filter by space, including its elements.'),
      user_id: idText.optional().describe('Filter by user.'),
      removed: z.enum(['0', '1']).default('0').describe('Set to 1 for changes that can be restored.'),
    }),
    output: z.array(changeSchema),
    paged: true,
  }),
  readRoom: call({
    method: 'GET',
    path: '/backend/history/:id/room',
    summary:
      "Returns the space before or after a change, with its current template and files; null if it didn't exist. Available for 30 days.",
    access: 'rooms.view_any',
    params: idParams,
    query: z.object({ side: z.enum(CHANGE_SIDES).describe('State before or after the change.') }),
    output: roomSchema.nullable(),
  }),
  restore: call({
    method: 'POST',
    path: '/backend/history/:id/restore',
    summary:
      'Restores the removed entity of this entry with its dependents, or undoes a change of an access token or of translations, within 30 days. Requires the right to create or update it.',
    access: 'session',
    params: idParams,
    output: z.object({
      entity: z.enum(CHANGED_ENTITIES).describe('Type of the restored entity.'),
      id: z.int().describe('ID of the restored entity.'),
      room_id: z.int().nullable().describe('Space of the restored entity.'),
      missing: z.array(z.string()).describe('Missing references by kind and name. They are now empty.'),
    }),
    errors: ['invalid', 'quota', 'forbidden', 'stale'],
    done: 'The entry has been restored.',
  }),
};
