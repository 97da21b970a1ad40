import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { endpointInput, importJobSchema, importPlanSchema, importSwitches } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

/** Most things that one import brings. */
const MOST_ITEMS = 5000;

const documents = z
  .array(z.record(z.string(), z.unknown()))
  .max(MOST_ITEMS, `Import at most ${MOST_ITEMS} at once.`)
  .describe('Documents, as the export has them.');

const { room_id, parent_endpoint_id, slug, ...fields } = editShape(endpointInput.shape);

/** A structure as imports have it: found by its public path, its room by name. */
export const endpointItem = z.strictObject({
  path: line(241).min(1, 'Name its public path.').describe('Public path, such as museum/hall.'),
  room: line().nullable().optional().describe('Name of the space that it shows.'),
  ...fields,
});

const shared = { ...importSwitches };

/** Bringing in many things at once: all of them, or nothing. */
export const imports = {
  rooms: call({
    method: 'POST',
    path: '/backend/imports/rooms',
    summary:
      'Adds and changes spaces by their names, in one transaction. Files, templates and structures that a document refers to are found by content, name and path. A document may say at which structure it is shown.',
    access: 'rooms.create',
    body: z.strictObject({ ...shared, items: documents }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused'],
  }),
  templates: call({
    method: 'POST',
    path: '/backend/imports/templates',
    summary: 'Adds and changes templates by their names, in one transaction.',
    access: 'templates.create',
    body: z.strictObject({ ...shared, items: documents }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused'],
  }),
  endpoints: call({
    method: 'POST',
    path: '/backend/imports/endpoints',
    summary:
      'Adds and changes structures by their public paths, in one transaction. Parents come before their children.',
    access: 'endpoints.create',
    body: z.strictObject({
      ...shared,
      items: z.array(endpointItem).max(MOST_ITEMS, `Import at most ${MOST_ITEMS} at once.`),
    }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused'],
  }),
  list: call({
    method: 'GET',
    path: '/backend/imports',
    summary: 'Imports that were done, newest first.',
    access: 'settings.view_any',
    query: listQuery,
    output: z.array(importJobSchema),
    paged: true,
  }),
  undo: call({
    method: 'POST',
    path: '/backend/imports/:id/undo',
    summary:
      'Takes one import back: what it added goes, what it changed or removed is as before. Refused where something was changed since, unless forced.',
    access: 'rooms.delete',
    params: idParams,
    body: z.strictObject({ force: z.boolean().default(false).describe('Whether later changes are lost.') }),
    output: z.object({ undone: z.int().describe('How many things are as before.') }),
    errors: ['invalid', 'stale'],
    done: 'The import has been taken back.',
  }),
};
export type EndpointItem = z.output<typeof endpointItem>;
