import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { blockContentSchema, blockPlaceSchema, blockSchema, blockUpdateSchema, stamp } from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';

const { name } = blockSchema.shape;
const { page, per_page } = listQuery.shape;

export const BLOCK_ORDERS = ['name', '-name', 'edited', '-edited'] as const;

const element = z
  .record(z.string(), z.unknown())
  .describe('A group with its `children`, in the format of a space. Links to elements outside it are removed.');

/** Blocks: groups of elements that spaces share. */
export const blocks = {
  list: call({
    method: 'GET',
    path: '/backend/blocks',
    summary: 'Lists blocks, by name by default.',
    access: 'rooms.view_any',
    query: listQuery.extend({ sort: z.enum(BLOCK_ORDERS).default('name').describe('Sort order.') }),
    output: z.array(blockSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/blocks/:id',
    summary: 'Returns a block with its content.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({
      version: idText.optional().describe('Version of the content; the newest one if omitted. The last 20 are stored.'),
    }),
    output: blockContentSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/blocks',
    summary: 'Creates a block from a group. The group itself stays unchanged.',
    access: 'rooms.create',
    body: z.strictObject({ name, element }),
    output: blockContentSchema,
    status: 201,
    done: 'The block has been saved.',
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'blocks.read', moving: ['places', 'outdated', 'edited_by', 'room_ids', 'version', 'element_count'] },
    path: '/backend/blocks/:id',
    summary: 'Renames a block or replaces its content, which becomes its next version. Places stay unchanged.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ name: name.optional(), element: element.optional(), updated_at: stamp.optional() }),
    output: blockContentSchema,
    done: 'The block has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/blocks/:id',
    summary: 'Deletes a block. Its places keep their content.',
    access: 'rooms.delete',
    params: idParams,
    output: z.null(),
    done: 'The block has been removed.',
  }),
  places: call({
    method: 'GET',
    path: '/backend/blocks/:id/places',
    summary: 'Lists the places of a block, by space.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({ page, per_page }),
    output: z.array(blockPlaceSchema),
    paged: true,
  }),
  updateIn: call({
    method: 'POST',
    path: '/backend/rooms/:id/update-block',
    summary:
      'Updates all places of a block in a space to its newest version. The bulk action `rooms.update_block` does this in many spaces.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      block_id: id.describe('The block.'),
      overwrite: z.boolean().default(false).describe('Whether to update places with changes of their own, too.'),
    }),
    output: blockUpdateSchema,
    errors: ['not_found', 'invalid'],
  }),
};
