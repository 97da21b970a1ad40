import { z } from 'zod';
import { call } from '../call.ts';
import { fullRevisionSchema, revisionName, revisionSchema } from '../entities.ts';
import { idParams, idText } from '../inputs.ts';

export const revisions = {
  list: call({
    method: 'GET',
    path: '/backend/rooms/:id/revisions',
    summary: 'Revisions of a space, newest first: at most 200 with a name and 50 automatic ones.',
    access: 'rooms.view_any',
    params: idParams,
    output: z.array(revisionSchema),
  }),
  create: call({
    method: 'POST',
    path: '/backend/rooms/:id/revisions',
    summary:
      'Saves a revision of a space. Without a name it is automatic: made only where something changed and ten minutes have passed since the last; otherwise the newest is answered.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ name: revisionName.optional().describe('Its name; without one it is automatic.') }),
    output: revisionSchema,
    errors: ['invalid', 'too_large'],
    status: 201,
  }),
  read: call({
    method: 'GET',
    path: '/backend/revisions/:id',
    summary: 'A revision with the space as it was.',
    access: 'rooms.view_any',
    params: idParams,
    output: fullRevisionSchema,
  }),
  rename: call({
    method: 'PUT',
    edits: { read: 'revisions.read' },
    path: '/backend/revisions/:id',
    summary: 'Names a revision; an automatic one is kept like a named one from then on.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ name: revisionName.describe('Its new name.') }),
    output: revisionSchema,
    errors: ['invalid'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/revisions/:id',
    summary:
      'Removes a revision; the space stays as it is. One that is published, scheduled, or among the last 20 publications stays.',
    access: 'rooms.update',
    params: idParams,
    output: z.null(),
    errors: ['in_use'],
  }),
  restore: call({
    method: 'POST',
    path: '/backend/revisions/:id/restore',
    summary:
      'Makes a space what it was at a revision, or one element of it. A revision of what it was before is made first.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      element_id: idText.optional().describe('Only this element; one that is gone comes back with all that was in it.'),
    }),
    output: z.object({
      room_id: z.int().describe('Space that was restored.'),
      element_id: z.int().nullable().describe('Element that was restored; null for the whole space.'),
      before_id: z.int().describe('Revision of how the space was before.'),
      missing: z
        .array(z.string())
        .describe('What it used and is gone, each with its kind and name; those places are empty now.'),
    }),
    errors: ['invalid', 'too_large'],
  }),
};
