import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { roomConfigSchema } from '../../../engine/document/room-config.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  adminRoomSchema,
  elementRowSchema,
  MAX_COMMANDS,
  MAX_LEASED,
  posterSchema,
  roomCommandSchema,
  roomLogEntrySchema,
  roomRowSchema,
  stamp,
} from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';
import { elementInput } from './elements.ts';

const edit = {
  ...editShape(roomFieldsSchema.shape),
  config: z
    .strictObject(editShape(roomConfigSchema.unwrap().shape))
    .optional()
    .describe('Settings; those that are left out stay as they are.'),
};

export const ROOM_ORDERS = ['name', '-name', 'edited', '-edited'] as const;

export const rooms = {
  list: call({
    method: 'GET',
    path: '/backend/rooms',
    summary: 'Spaces of the organization, by name unless another order is asked for.',
    access: 'rooms.view_any',
    query: listQuery.extend({
      sort: z.enum(ROOM_ORDERS).default('name').describe('Order: by name, or by when they were last changed.'),
      used: z.enum(['0', '1']).optional().describe('1 for only those that structures show, 0 for only the others.'),
      template_id: idText.optional().describe('Only those with this template.'),
    }),
    output: z.array(roomRowSchema),
    paged: true,
    cached: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/rooms/:id',
    summary: 'A space with its element tree, template and settings.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({
      seq: z.enum(['0', '1']).default('0').describe('1 to be told the place in the log at which the space is so.'),
    }),
    output: adminRoomSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/rooms',
    summary: 'Adds a space; what is not given comes from its template.',
    access: 'rooms.create',
    body: z.strictObject({ ...edit, title: roomFieldsSchema.shape.title }),
    output: adminRoomSchema,
    errors: ['quota'],
    status: 201,
    done: 'The space has been added.',
  }),
  update: call({
    method: 'PUT',
    edits: {
      read: 'rooms.read',
      moving: ['timestamp_current', 'timestamp_start_of_day', 'timestamp_end_of_day'],
    },
    path: '/backend/rooms/:id',
    summary: 'Changes the fields that are given; `config` is merged one level deep.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ ...edit, updated_at: stamp.optional() }),
    output: adminRoomSchema,
    done: 'The space has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/rooms/:id',
    summary: 'Removes a space with its elements.',
    access: 'rooms.delete',
    params: idParams,
    output: z.null(),
    done: 'The space has been removed.',
  }),
  copy: call({
    method: 'POST',
    path: '/backend/rooms/:id/copy',
    summary: 'Copies a space with its elements; links between them point into the copy.',
    access: 'rooms.create',
    params: idParams,
    output: adminRoomSchema,
    errors: ['quota'],
    status: 201,
    done: 'The space has been copied.',
  }),
  readPoster: call({
    method: 'GET',
    path: '/backend/rooms/:id/poster',
    summary: 'The image that stands for a space in lists and link previews; null for none.',
    access: 'rooms.view_any',
    params: idParams,
    output: posterSchema.nullable(),
  }),
  drawPoster: call({
    method: 'POST',
    path: '/backend/rooms/:id/poster',
    summary: 'Keeps what the editor drew of a space as its poster, unless somebody chose another image.',
    access: 'rooms.update',
    params: idParams,
    body: z.object({}),
    files: ['file'],
    output: posterSchema,
    errors: ['bad_file'],
  }),
  choosePoster: call({
    method: 'POST',
    path: '/backend/rooms/:id/poster/choose',
    summary: 'Lets an image of the media library stand for a space; a copy of it is kept.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ file_id: id.describe('The image.') }),
    output: posterSchema,
    errors: ['bad_file'],
    done: 'The image stands for the space now.',
  }),
  removePoster: call({
    method: 'DELETE',
    path: '/backend/rooms/:id/poster',
    summary: 'Removes the image that stands for a space; it is drawn again.',
    access: 'rooms.update',
    params: idParams,
    output: z.null(),
    done: 'The image has been removed.',
  }),
  addElement: call({
    method: 'POST',
    path: '/backend/rooms/:id/element',
    summary: 'Adds an element to a space; positions are floored to whole numbers.',
    access: 'rooms.update',
    params: idParams,
    body: elementInput,
    output: elementRowSchema,
    status: 201,
  }),
  commit: call({
    method: 'POST',
    path: '/backend/rooms/:id/commands',
    summary:
      'Changes a space by commands: all of them, or none. What is sent again under the same number is not done again.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      client: line(64)
        .min(1)
        .describe(
          'Name of the program that sends it, unique among all that are open. In a space, it belongs to the user who used it first.',
        ),
      mutation: z.int().min(1).describe('Its own number of this call.'),
      commands: z
        .array(roomCommandSchema)
        .max(MAX_COMMANDS)
        .describe(
          'What is to be done, in order. New elements may have ids below 0, by which later commands name them.',
        ),
      origin: z.enum(['editor', 'api', 'agent']).default('api').describe('What sends it.'),
      lease: z
        .int()
        .min(0)
        .max(MAX_LEASED)
        .default(0)
        .describe('How many ids for new elements to give besides, for later calls.'),
    }),
    output: z.object({
      seq: z.int().describe('Place of the change in the log of the space.'),
      ids: z.record(z.string(), id).describe('Ids of new elements by the numbers below 0 that stood for them.'),
      indexes: z
        .record(z.string(), z.string())
        .describe('Keys of added and moved elements, by id; they order an element among its siblings.'),
      leased: z.array(id).describe('Ids that new elements of this space may have in later calls.'),
    }),
    errors: ['invalid', 'stale', 'client_taken', 'too_many'],
  }),
  log: call({
    method: 'GET',
    path: '/backend/rooms/:id/commands',
    summary: 'The log of a space: what changed it, in order, for the last 30 days.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0).describe('Only what came after this place in the log.'),
      before: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Only what came before this place: the last of it, still in order. For going back from the end.'),
      limit: z.coerce.number().int().min(1).max(500).default(100).describe('Most entries; fewer where they are large.'),
    }),
    output: z.object({
      seq: z.int().describe('Place of the last entry.'),
      base: z.int().describe('Place after which the log begins; what stands before is no longer known by itself.'),
      entries: z.array(roomLogEntrySchema).describe('The entries, in order.'),
    }),
  }),
};
