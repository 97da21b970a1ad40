import { z } from 'zod';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { roomConfigSchema } from '../../../engine/document/room-config.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { adminRoomSchema, elementRowSchema, roomRowSchema, stamp } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';
import { elementInput } from './elements.ts';

const edit = {
  ...editShape(roomFieldsSchema.shape),
  config: z
    .strictObject(editShape(roomConfigSchema.unwrap().shape))
    .optional()
    .describe('Settings; those that are left out stay as they are.'),
};

/** Spaces. */
export const rooms = {
  list: call({
    method: 'GET',
    path: '/backend/rooms',
    summary: 'Spaces of the organization, by name.',
    access: 'rooms.view_any',
    query: listQuery,
    output: z.array(roomRowSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/rooms/:id',
    summary: 'A space with its element tree, template and settings.',
    access: 'rooms.view_any',
    params: idParams,
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
  addElement: call({
    method: 'POST',
    path: '/backend/rooms/:id/element',
    summary: 'Adds an element to a space.',
    access: 'rooms.update',
    params: idParams,
    body: elementInput,
    output: elementRowSchema,
    status: 201,
  }),
};
