import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  AREAS,
  type Area,
  endpointInput,
  IMPORT_KINDS,
  type ImportKind,
  importJobSchema,
  importPlanSchema,
  importSwitches,
  rightsSchema,
} from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';
import { email, userName } from './users.ts';

/** Maximum items in a JSON import. */
const MAX_ITEMS = 5000;
/** Maximum items per removal. */
const MAX_REMOVED = 10_000;

const documents = z
  .array(z.record(z.string(), z.unknown()))
  .max(MAX_ITEMS, `Import at most ${MAX_ITEMS} at once.`)
  .describe('Documents, as the export has them.');

const { room_id, parent_endpoint_id, slug, ...fields } = editShape(endpointInput.shape);

/** A structure in an import, matched by its public path; its room by name. */
export const endpointItem = z.strictObject({
  path: line(241).min(1, 'Name its public path.').describe('Public path, such as museum/hall.'),
  room: line().nullable().optional().describe('Name of the space that it shows.'),
  ...fields,
});

/** Maximum users per import: each new user gets an e-mail. */
const MAX_USERS = 1000;

/** A user's rights in one area, in an import. */
export const givenRights = z.strictObject(rightsSchema.shape);
const areaRights = givenRights.optional();

/** A user in an import, matched by e-mail. */
export const userItem = z.strictObject({
  email: email.describe('E-mail address for signing in.'),
  name: userName.optional(),
  is_active: z.boolean().optional().describe('Whether they may sign in.'),
  policies: z
    .strictObject(Object.fromEntries(AREAS.map((area) => [area, areaRights])) as Record<Area, typeof areaRights>)
    .optional()
    .describe('Rights by area, none that the caller lacks; areas that are left out stay as they are.'),
});
export type UserItem = z.output<typeof userItem>;

const shared = { ...importSwitches };

/** The file variant of an import call. */
const fileCall = <const K extends ImportKind, const A extends Area>(kind: K, area: A, what: string) =>
  call({
    method: 'POST',
    path: `/backend/imports/${kind}/file`,
    summary: `${what} from a file with one as JSON on each line, up to 100,000 of them and 200 MB, in one transaction. Form data, the file last; booleans as 0 or 1.`,
    access: `${area}.create`,
    body: z.strictObject(shared),
    files: ['items_file'],
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'bad_file', 'timeout', 'quota'],
  });

/** Bulk imports in one transaction. */
export const imports = {
  rooms: call({
    method: 'POST',
    path: '/backend/imports/rooms',
    summary:
      'Adds and changes spaces by their names, in one transaction. Files, templates and structures that a document refers to are found by content, name and path. A document may say at which structure it is shown. An item {template_document} adds or changes a template that rooms behind it use.',
    access: 'rooms.create',
    body: z.strictObject({ ...shared, items: documents }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  templates: call({
    method: 'POST',
    path: '/backend/imports/templates',
    summary: 'Adds and changes templates by their names, in one transaction.',
    access: 'templates.create',
    body: z.strictObject({ ...shared, items: documents }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  endpoints: call({
    method: 'POST',
    path: '/backend/imports/endpoints',
    summary:
      'Adds and changes structures by their public paths, in one transaction. Parents come before their children.',
    access: 'endpoints.create',
    body: z.strictObject({
      ...shared,
      items: z.array(endpointItem).max(MAX_ITEMS, `Import at most ${MAX_ITEMS} at once.`),
    }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  users: call({
    method: 'POST',
    path: '/backend/imports/users',
    summary:
      'Adds and changes users by their e-mails, in one transaction. Whoever is new gets a link to set a password once all is done. Not for API keys.',
    access: 'settings.create',
    body: z.strictObject({
      ...shared,
      items: z.array(userItem).max(MAX_USERS, `Import at most ${MAX_USERS} users at once.`),
    }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  roomsFile: fileCall('rooms', 'rooms', 'Adds and changes spaces'),
  templatesFile: fileCall('templates', 'templates', 'Adds and changes templates'),
  endpointsFile: fileCall('endpoints', 'endpoints', 'Adds and changes structures'),
  usersFile: fileCall('users', 'settings', 'Adds and changes users, not for API keys,'),
  remove: call({
    method: 'POST',
    path: '/backend/imports/removals',
    summary:
      'Removes things of one kind by their ids, in one transaction. Needs the right to delete them. Structures go with those below them and their tokens; templates in use stay. Users not by API keys. Undo brings all of them back.',
    access: 'session',
    body: z.strictObject({
      kind: z.enum(IMPORT_KINDS).describe('What they are.'),
      ids: z.array(id).min(1).max(MAX_REMOVED, `Remove at most ${MAX_REMOVED} at once.`).describe('Their ids.'),
      dry_run: importSwitches.dry_run,
    }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'forbidden', 'quota'],
  }),
  list: call({
    method: 'GET',
    path: '/backend/imports',
    summary: 'Imports and removals that were done, newest first.',
    access: 'settings.view_any',
    query: listQuery,
    output: z.array(importJobSchema),
    paged: true,
  }),
  undo: call({
    method: 'POST',
    path: '/backend/imports/:id/undo',
    summary:
      'Takes one import or removal back: what it added goes, what it changed or removed is as before. Refused where something was changed since, unless forced.',
    access: 'rooms.delete',
    params: idParams,
    body: z.strictObject({
      force: z.boolean().default(false).describe('Whether later changes are lost.'),
      dry_run: importSwitches.dry_run,
    }),
    output: z.object({ undone: z.int().describe('How many things are as before.') }),
    errors: ['invalid', 'stale', 'quota'],
    done: 'The import has been undone.',
  }),
};
export type EndpointItem = z.output<typeof endpointItem>;
