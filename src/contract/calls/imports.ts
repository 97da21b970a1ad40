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
  structureTranslations,
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
  .describe('Documents in the export format.');

const { room_id, parent_endpoint_id, slug, ...fields } = editShape(endpointInput.shape);

/** A structure in an import, matched by its public path; its room by name. */
export const endpointItem = z.strictObject({
  path: line(241).min(1, 'Enter the public path.').describe('Public path, such as museum/hall.'),
  room: line().nullable().optional().describe('Name of the space to show.'),
  room_folder: line(1000).optional().describe('Path of the folder of that space; empty for none. Any if omitted.'),
  ...fields,
  translations: structureTranslations.optional().describe('Translations of its title by language and field.'),
});

/** Maximum users per import: each new user gets an e-mail. */
const MAX_USERS = 1000;

/** A user's rights in one area, in an import. */
export const givenRights = z.strictObject(rightsSchema.shape);
const areaRights = givenRights.optional();

/** A user in an import, matched by e-mail. */
export const userItem = z.strictObject({
  email: email.describe('E-mail address.'),
  name: userName.optional(),
  is_active: z.boolean().optional().describe('Whether the user may sign in.'),
  policies: z
    .strictObject(Object.fromEntries(AREAS.map((area) => [area, areaRights])) as Record<Area, typeof areaRights>)
    .optional()
    .describe("Rights by area, limited to those of the caller. Omitted areas don't change."),
});
export type UserItem = z.output<typeof userItem>;

const shared = { ...importSwitches };

/** The file variant of an import call. */
const fileCall = <const K extends ImportKind, const A extends Area>(kind: K, area: A, what: string) =>
  call({
    method: 'POST',
    path: `/backend/imports/${kind}/file`,
    summary: `${what} from a file with one JSON object per line, in one transaction. Up to 100,000 lines and 200 MB. Form data with the file as the last field; booleans as 0 or 1.`,
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
      'Creates and updates spaces by name, in one transaction. Referenced files, templates and structures are matched by content, name and path. A document can name its `folder`, which then identifies it together with its name, and the structure that shows it. A {template_document} item creates or updates a template for the rooms that follow it.',
    access: 'rooms.create',
    body: z.strictObject({ ...shared, items: documents }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  templates: call({
    method: 'POST',
    path: '/backend/imports/templates',
    summary: 'Creates and updates templates by name, in one transaction.',
    access: 'templates.create',
    body: z.strictObject({ ...shared, items: documents }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  endpoints: call({
    method: 'POST',
    path: '/backend/imports/endpoints',
    summary: 'Creates and updates structures by public path, in one transaction. Parents must precede their children.',
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
      'Creates and updates users by e-mail address, in one transaction. New users receive a link to set a password afterwards. Not available to API keys.',
    access: 'settings.create',
    body: z.strictObject({
      ...shared,
      items: z.array(userItem).max(MAX_USERS, `Import at most ${MAX_USERS} users at once.`),
    }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'quota'],
  }),
  roomsFile: fileCall('rooms', 'rooms', 'Creates and updates spaces'),
  templatesFile: fileCall('templates', 'templates', 'Creates and updates templates'),
  endpointsFile: fileCall('endpoints', 'endpoints', 'Creates and updates structures'),
  usersFile: fileCall('users', 'settings', 'Creates and updates users (not with API keys)'),
  remove: call({
    method: 'POST',
    path: '/backend/imports/removals',
    summary:
      "Deletes items of one type by ID, in one transaction. Requires the right to delete them. Structures are deleted with their descendants and access tokens. Templates in use aren't deleted. API keys can't delete users. Undo restores all items.",
    access: 'session',
    scope: 'delete',
    body: z.strictObject({
      kind: z.enum(IMPORT_KINDS).describe('Type of the items.'),
      ids: z.array(id).min(1).max(MAX_REMOVED, `Remove at most ${MAX_REMOVED} at once.`).describe('Item IDs.'),
      dry_run: importSwitches.dry_run,
    }),
    output: importPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'forbidden', 'quota'],
  }),
  list: call({
    method: 'GET',
    path: '/backend/imports',
    summary: 'Lists completed imports and bulk deletions, newest first.',
    access: 'settings.view_any',
    query: listQuery,
    output: z.array(importJobSchema),
    paged: true,
  }),
  undo: call({
    method: 'POST',
    path: '/backend/imports/:id/undo',
    summary:
      'Undoes an import or bulk deletion: deletes what it added, and reverts what it changed or deleted. Rejected if an item has changed since, unless forced.',
    access: 'rooms.delete',
    params: idParams,
    body: z.strictObject({
      force: z.boolean().default(false).describe('Whether to overwrite later changes.'),
      dry_run: importSwitches.dry_run,
    }),
    output: z.object({ undone: z.int().describe('Number of reverted items.') }),
    errors: ['invalid', 'stale', 'quota'],
    done: 'The import has been undone.',
  }),
};
export type EndpointItem = z.output<typeof endpointItem>;
