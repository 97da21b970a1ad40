import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { authorSchema, CHANGED_ENTITIES } from '../entities.ts';
import { idText, listQuery } from '../inputs.ts';

/** A deleted resource that can be restored. */
const binItem = z.object({
  id: id.describe('ID of the change log entry, for restoring it.'),
  at: z.string().describe('Time of removal in UTC.'),
  ends_at: z.string().describe('End of the restore period in UTC.'),
  user: authorSchema.nullable().describe('User who removed it; null for the server.'),
  entity: z.enum(CHANGED_ENTITIES).describe('Type of the entity.'),
  entity_id: z.int().describe('ID of the entity.'),
  name: z.string().describe('Name of the entity.'),
  may_restore: z.boolean().describe('Whether the caller may restore it.'),
  may_delete: z.boolean().describe('Whether the caller may delete it permanently.'),
});
export type BinItem = z.output<typeof binItem>;

/** Deleted resources, restorable for 30 days. */
export const bin = {
  list: call({
    method: 'GET',
    path: '/backend/bin',
    summary: 'Lists removed entities that can be restored, newest first, limited to types the caller may list.',
    access: 'session',
    query: listQuery.extend({
      entity: z.enum(CHANGED_ENTITIES).optional().describe('Filter by type.'),
      entity_id: idText.optional().describe('Filter by entity. Requires `entity`.'),
    }),
    output: z.array(binItem),
    paged: true,
  }),
  empty: call({
    method: 'POST',
    path: '/backend/bin/empty',
    summary: 'Permanently deletes entries of the bin: the given ones, or all that the caller may delete.',
    access: 'session',
    scope: 'delete',
    body: z.strictObject({
      ids: z.array(id).min(1).max(1000).optional().describe('Entry IDs; all entries if omitted.'),
    }),
    output: z.object({ emptied: z.int().describe('Number of deleted entries.') }),
    done: 'The bin has been emptied.',
  }),
};
