import { z } from 'zod';
import { call } from '../call.ts';
import { fullRevisionSchema, revisionName, revisionSchema } from '../entities.ts';
import { idParams, idText } from '../inputs.ts';

export const revisions = {
  list: call({
    method: 'GET',
    path: '/backend/rooms/:id/revisions',
    summary: 'Lists revisions of a space, newest first: at most 200 named and 50 automatic ones.',
    access: 'rooms.view_any',
    params: idParams,
    output: z.array(revisionSchema),
  }),
  create: call({
    method: 'POST',
    path: '/backend/rooms/:id/revisions',
    summary:
      'Saves a revision of a space. Without a name, it creates an automatic revision if the space has changed and the last one is over ten minutes old. Otherwise returns the newest revision.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ name: revisionName.optional().describe('Name. If omitted, the revision is automatic.') }),
    output: revisionSchema,
    errors: ['invalid', 'too_large'],
    status: 201,
  }),
  read: call({
    method: 'GET',
    path: '/backend/revisions/:id',
    summary: 'Returns a revision with its space.',
    access: 'rooms.view_any',
    params: idParams,
    output: fullRevisionSchema,
  }),
  rename: call({
    method: 'PUT',
    edits: { read: 'revisions.read' },
    path: '/backend/revisions/:id',
    summary: 'Names a revision. Automatic revisions are then kept like named ones.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ name: revisionName.describe('New name.') }),
    output: revisionSchema,
    errors: ['invalid'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/revisions/:id',
    summary:
      "Deletes a revision without changing the space. Published and scheduled revisions, and those of the last 20 publications, can't be deleted.",
    access: 'rooms.update',
    scope: 'delete',
    params: idParams,
    output: z.null(),
    errors: ['in_use'],
  }),
  restore: call({
    method: 'POST',
    path: '/backend/revisions/:id/restore',
    summary: 'Restores a space, or one of its elements, to a revision. Saves a revision of the current state first.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      element_id: idText.optional().describe('Element to restore with its descendants; the whole space if omitted.'),
    }),
    output: z.object({
      room_id: z.int().describe('ID of the restored space.'),
      element_id: z.int().nullable().describe('ID of the restored element; null for the whole space.'),
      before_id: z.int().describe('Revision of the space before the restore.'),
      missing: z.array(z.string()).describe('Missing references by kind and name. They are now empty.'),
    }),
    errors: ['invalid', 'too_large'],
  }),
};
