import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { roomConfigSchema } from '../../../engine/document/room-config.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  adminRoomSchema,
  elementRowSchema,
  folderId,
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
    .describe("Settings. Omitted settings don't change."),
};

export const ROOM_ORDERS = ['name', '-name', 'edited', '-edited'] as const;

export const rooms = {
  list: call({
    method: 'GET',
    path: '/backend/rooms',
    summary: 'Lists spaces, by name by default.',
    access: 'rooms.view_any',
    query: listQuery.extend({
      sort: z.enum(ROOM_ORDERS).default('name').describe('Sort order: by name or by time of the last change.'),
      used: z.enum(['0', '1']).optional().describe('Filter by use: 1 for spaces that structures show, 0 for others.'),
      template_id: idText.optional().describe('Filter by template.'),
      folder_id: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Filter by folder, including its subfolders; 0 for spaces in no folder.'),
    }),
    output: z.array(roomRowSchema),
    paged: true,
    cached: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/rooms/:id',
    summary: 'Returns a space with its element tree, template and settings.',
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({
      seq: z.enum(['0', '1']).default('0').describe("Set to 1 to include the space's sequence number in the log."),
    }),
    output: adminRoomSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/rooms',
    summary: "Creates a space. Omitted fields default to the template's.",
    access: 'rooms.create',
    body: z.strictObject({ ...edit, title: roomFieldsSchema.shape.title, folder_id: folderId.optional() }),
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
    summary: 'Updates the given fields. `config` is merged one level deep.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ ...edit, updated_at: stamp.optional() }),
    output: adminRoomSchema,
    done: 'The space has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/rooms/:id',
    summary: 'Deletes a space with its elements.',
    access: 'rooms.delete',
    params: idParams,
    output: z.null(),
    done: 'The space has been removed.',
  }),
  copy: call({
    method: 'POST',
    path: '/backend/rooms/:id/copy',
    summary: 'Copies a space with its elements. Links between elements point to the copies.',
    access: 'rooms.create',
    params: idParams,
    output: adminRoomSchema,
    errors: ['quota'],
    status: 201,
    done: 'The space has been copied.',
  }),
  move: call({
    method: 'POST',
    path: '/backend/rooms/:id/folder',
    summary: 'Moves a space to a folder. Its content and its structures stay unchanged.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ folder_id: folderId }),
    output: z.object({ id, folder_id: folderId }),
    done: 'The space has been moved.',
  }),
  readPoster: call({
    method: 'GET',
    path: '/backend/rooms/:id/poster',
    summary: 'Returns the poster of a space; null for none.',
    access: 'rooms.view_any',
    params: idParams,
    output: posterSchema.nullable(),
  }),
  drawPoster: call({
    method: 'POST',
    path: '/backend/rooms/:id/poster',
    summary: "Stores the editor's rendering of a space as its poster, unless a user chose an image.",
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
    summary: 'Sets the poster of a space to a copy of an image in the media library.',
    access: 'rooms.update',
    scope: 'publish',
    params: idParams,
    body: z.strictObject({ file_id: id.describe('Image file.') }),
    output: posterSchema,
    errors: ['bad_file'],
    done: 'The poster has been set.',
  }),
  removePoster: call({
    method: 'DELETE',
    path: '/backend/rooms/:id/poster',
    summary: 'Removes the poster of a space. It is rendered again.',
    access: 'rooms.update',
    scope: 'publish',
    params: idParams,
    output: z.null(),
    done: 'The poster has been removed.',
  }),
  addElement: call({
    method: 'POST',
    path: '/backend/rooms/:id/element',
    summary: 'Adds an element to a space. Positions are floored to whole numbers.',
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
      'Applies commands to a space, all or none. Idempotent: a request with the same client and mutation number is applied once.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      client: line(64)
        .min(1)
        .describe(
          'Client name, unique among all open clients. Within a space, it belongs to the first user of the name.',
        ),
      mutation: z.int().min(1).describe('Request number, assigned by the client.'),
      commands: z
        .array(roomCommandSchema)
        .max(MAX_COMMANDS)
        .describe('Commands in order. New elements may have negative IDs, which later commands can refer to.'),
      origin: z.enum(['editor', 'api', 'agent']).default('api').describe('Origin of the change.'),
      lease: z
        .int()
        .min(0)
        .max(MAX_LEASED)
        .default(0)
        .describe('Number of additional element IDs to reserve for later requests.'),
    }),
    output: z.object({
      seq: z.int().describe("Sequence number of the change in the space's log."),
      ids: z.record(z.string(), id).describe('IDs of new elements by their negative IDs.'),
      indexes: z
        .record(z.string(), z.string())
        .describe('Sort keys of added and moved elements among their siblings, by ID.'),
      leased: z.array(id).describe('Element IDs reserved for later requests.'),
    }),
    errors: ['invalid', 'stale', 'client_taken', 'too_many'],
  }),
  log: call({
    method: 'GET',
    path: '/backend/rooms/:id/commands',
    summary: "Lists the space's log of the last 30 days, in order.",
    access: 'rooms.view_any',
    params: idParams,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0).describe('Returns entries after this sequence number.'),
      before: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Returns the last entries before this sequence number, in ascending order, for paging backward.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .default(100)
        .describe('Maximum number of entries. Fewer are returned if they are large.'),
    }),
    output: z.object({
      seq: z.int().describe('Sequence number of the last entry.'),
      base: z.int().describe('Sequence number before the first available entry. Earlier entries have been deleted.'),
      entries: z.array(roomLogEntrySchema).describe('Log entries in order.'),
    }),
  }),
};
