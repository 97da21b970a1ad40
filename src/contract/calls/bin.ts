import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { authorSchema, CHANGED_ENTITIES } from '../entities.ts';
import { idText, listQuery } from '../inputs.ts';

/** A deleted resource that can be restored. */
const binItem = z.object({
  id: id.describe('Id of the entry of the change log, which restores it.'),
  at: z.string().describe('When it was removed, UTC.'),
  ends_at: z.string().describe('Until when it can be restored, UTC.'),
  user: authorSchema.nullable().describe('Who removed it; null for the server itself.'),
  entity: z.enum(CHANGED_ENTITIES).describe('What kind of thing it is.'),
  entity_id: z.int().describe('Id of that thing.'),
  name: z.string().describe('Its name.'),
  may_restore: z.boolean().describe('Whether the caller may restore it.'),
});
export type BinItem = z.output<typeof binItem>;

/** Deleted resources, restorable for 30 days. */
export const bin = {
  list: call({
    method: 'GET',
    path: '/backend/bin',
    summary: 'What was removed and can be restored, newest first: of what the caller may see the list of.',
    access: 'session',
    query: listQuery.extend({
      entity: z.enum(CHANGED_ENTITIES).optional().describe('Only this kind of thing.'),
      entity_id: idText.optional().describe('Only this thing; together with `entity`.'),
    }),
    output: z.array(binItem),
    paged: true,
  }),
  empty: call({
    method: 'POST',
    path: '/backend/bin/empty',
    summary: 'Forgets for good what was removed: all that the caller may remove, or the named entries of it.',
    access: 'session',
    body: z.strictObject({
      ids: z.array(id).min(1).max(1000).optional().describe('Ids of the entries; all when left out.'),
    }),
    output: z.object({ emptied: z.int().describe('How many were forgotten.') }),
    done: 'The bin has been emptied.',
  }),
};
