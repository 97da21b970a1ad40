import { z } from 'zod';
import { coordinate, id, line, optional, radians, text } from '../../../engine/document/fields.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { templateSchema } from '../../../engine/document/template.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  challengeSchema,
  endpointInput,
  endpointSchema,
  feedItemSchema,
  importReportSchema,
  posterSchema,
  publicEndpointRowSchema,
  publicEndpointSchema,
  settingsSchema,
  stamp,
} from '../entities.ts';
import { idParams, idText, search } from '../inputs.ts';
import { accessTokens, tableOptions } from './access-tokens.ts';

const edit = editShape(endpointInput.shape);

/** Maximum images of a new space. */
const MAX_NEW_IMAGES = 100;

const vector = z.strictObject({ x: coordinate, y: coordinate, z: coordinate });

const newImage = z.strictObject({
  file_id: id.describe('The image.'),
  name: line().optional().describe('Its name.'),
  width: z.number().positive().max(100_000).describe('In units.'),
  height: z.number().positive().max(100_000).describe('In units.'),
  position_x: coordinate,
  position_y: coordinate,
  position_z: coordinate,
  rotation_y: radians,
});

/** Removes a field from a shape. */
function omit<S extends object, N extends keyof S>(shape: S, name: N): Omit<S, N> {
  const { [name]: _, ...others } = shape;
  return others;
}

/** File field of the access token CSV. */
const files = ['access_tokens_file'] as const;
/** Options for parsing that CSV. */
const choice = {
  access_tokens_column: tableOptions.column,
  access_tokens_heading: tableOptions.heading,
};

/** Structures in the back-office and their public addresses. */
export const endpoints = {
  list: call({
    method: 'GET',
    path: '/backend/endpoints',
    summary: 'The tree of structures; with a search, the branches that match.',
    access: 'endpoints.view_any',
    query: z.strictObject({ search }),
    output: z.array(endpointSchema),
  }),
  read: call({
    method: 'GET',
    path: '/backend/endpoints/:id',
    summary: 'One structure with those below it.',
    access: 'endpoints.view_any',
    params: idParams,
    output: endpointSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/endpoints',
    summary:
      'Adds a structure, with access tokens from a CSV if one is sent, which needs the right to add access tokens. Form data; booleans as 0 or 1. The slug follows the name when it is empty.',
    access: 'endpoints.create',
    body: z.object({
      ...edit,
      name: endpointInput.shape.name,
      room_id: optional(id).describe('Space that it shows; left out where one is added for it.'),
      new_room_title: roomFieldsSchema.shape.title
        .optional()
        .describe(
          'Title of a space that is added for it, which needs the right to add spaces: both are there, or neither.',
        ),
      new_room_template_id: optional(id)
        .optional()
        .describe('Template of that space; the one of the organization when left out.'),
      ...choice,
    }),
    files,
    output: endpointSchema,
    report: importReportSchema,
    errors: ['bad_file', 'unclear_table', 'timeout', 'quota'],
    status: 201,
    done: 'The structure has been added.',
  }),
  update: call({
    method: 'POST',
    edits: { read: 'endpoints.read', moving: ['access_tokens_count', 'is_closed', 'path', 'poster_url'] },
    path: '/backend/endpoints/:id',
    summary:
      'Changes the fields that are given, and adds access tokens from a CSV, which needs the right to add access tokens. Form data; booleans as 0 or 1.',
    access: 'endpoints.update',
    params: idParams,
    body: z.object({ ...edit, ...choice, updated_at: stamp.optional() }),
    files,
    output: endpointSchema,
    report: importReportSchema,
    errors: ['bad_file', 'unclear_table', 'timeout', 'quota'],
    done: 'The structure has been saved.',
  }),
  createWithRoom: call({
    method: 'POST',
    path: '/backend/endpoints/with-room',
    summary:
      'Adds a structure with the space that it shows, and what belongs to both: a template, elements, access tokens. All of it, or nothing. Needs the right to add each of them.',
    access: 'session',
    body: z.strictObject({
      endpoint: z.strictObject({ ...omit(edit, 'room_id'), name: endpointInput.shape.name }).describe('The structure.'),
      room: z
        .strictObject({
          title: roomFieldsSchema.shape.title,
          template_id: optional(id).optional().describe('Template; the one of the organization when left out.'),
          position: vector.optional().describe('Where visitors start, in units.'),
          angle: vector.optional().describe('Point that they look at, in units.'),
        })
        .describe('The space.'),
      template: z
        .strictObject({
          model_type: templateSchema.shape.model_type,
          file_id: id.describe('Its model, or its 360° photo.'),
        })
        .optional()
        .describe('A template that is added for the space, under its title.'),
      images: z.array(newImage).max(MAX_NEW_IMAGES).default([]).describe('Images in the space, in order.'),
      tokens: accessTokens.createMany.body
        .pick({ count: true, prefix: true, length: true })
        .optional()
        .describe('Access tokens that are generated.'),
    }),
    output: z.object({
      endpoint: endpointSchema.describe('The structure.'),
      room_id: id.describe('The space.'),
      tokens: z.array(z.string()).describe('The first hundred of the access tokens.'),
    }),
    errors: ['quota', 'forbidden'],
    status: 201,
    done: 'The space has a public address.',
  }),
  copy: call({
    method: 'POST',
    path: '/backend/endpoints/:id/copy',
    summary: 'Copies a structure, which shows the same space, without its access tokens.',
    access: 'endpoints.create',
    params: idParams,
    body: z.strictObject({
      name: endpointInput.shape.name.optional(),
      slug: endpointInput.shape.slug.optional(),
      parent_endpoint_id: id
        .nullable()
        .optional()
        .describe('Structure that the copy stands below; null at the top; beside the original when left out.'),
      children: z.boolean().default(false).describe('Whether those below it are copied as well.'),
    }),
    output: endpointSchema,
    errors: ['quota'],
    status: 201,
    done: 'The structure has been copied.',
  }),
  readPoster: call({
    method: 'GET',
    path: '/backend/endpoints/:id/poster',
    summary: 'The image that somebody chose for a structure; null where that of its space stands for it.',
    access: 'endpoints.view_any',
    params: idParams,
    output: posterSchema.nullable(),
  }),
  choosePoster: call({
    method: 'POST',
    path: '/backend/endpoints/:id/poster/choose',
    summary: 'Lets an image of the media library stand for a structure; a copy of it is kept.',
    access: 'endpoints.update',
    params: idParams,
    body: z.strictObject({ file_id: id.describe('The image.') }),
    output: posterSchema,
    errors: ['bad_file'],
    done: 'The image stands for the structure now.',
  }),
  removePoster: call({
    method: 'DELETE',
    path: '/backend/endpoints/:id/poster',
    summary: 'Removes the image that was chosen for a structure; that of its space stands for it.',
    access: 'endpoints.update',
    params: idParams,
    output: z.null(),
    done: 'The image has been removed.',
  }),
  createExportTicket: call({
    method: 'POST',
    path: '/backend/endpoints/:id/export-tickets',
    summary: 'Makes a download token for one download of the access tokens within a minute.',
    access: 'access_tokens.view_any',
    params: idParams,
    output: z.object({ token: z.string().describe('The download token, for the query of the download.') }),
    status: 201,
  }),
  exportTokens: call({
    method: 'GET',
    path: '/backend/endpoints/:id/export-tokens',
    summary: 'The access tokens of a structure as CSV, one column without a heading; or as a list of JSON, with times.',
    access: 'access_tokens.view_any',
    ticket: true,
    params: idParams,
    query: z.strictObject({
      token: z.string().max(200).optional().describe('A download token; without one, the session is asked for.'),
      format: z.enum(['csv', 'json']).default('csv').describe('JSON is without loss.'),
    }),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/endpoints/:id',
    summary: 'Removes a structure with those below it.',
    access: 'endpoints.delete',
    params: idParams,
    output: z.null(),
    done: 'The structure has been removed.',
  }),
  addresses: call({
    method: 'GET',
    path: '/backend/endpoints/:id/addresses',
    summary:
      'Addresses that a structure had, newest first. They lead to where it is now, unless another one took them.',
    access: 'endpoints.view_any',
    params: idParams,
    output: z.array(
      z.object({
        path: z.string().describe('The path, such as /museum/east-wing.'),
        at: z.string().describe('Until when it was there, UTC.'),
      }),
    ),
  }),
  removeAddress: call({
    method: 'POST',
    path: '/backend/endpoints/:id/addresses/remove',
    summary: 'Forgets an address that a structure had: it leads nowhere from then on.',
    access: 'endpoints.update',
    params: idParams,
    body: z.strictObject({ path: line(300).min(2).describe('The path as it is listed.') }),
    output: z.null(),
    done: 'The old address has been removed.',
  }),
  reorder: call({
    method: 'POST',
    path: '/backend/endpoints/reorder',
    summary: 'Puts the whole tree into a new order.',
    access: 'endpoints.create',
    body: z.strictObject({
      sort: z
        .array(z.strictObject({ id, children: z.array(z.strictObject({ id })).max(10_000).default([]) }))
        .min(1)
        .max(10_000)
        .describe('The top level in its new order, each with those below it.'),
    }),
    output: z.null(),
  }),
};

const slug = line(120).min(1);
const oneSlug = z.object({ slugOne: slug });
const twoSlugs = z.object({ slugOne: slug, slugTwo: slug });

/** Credentials for a protected structure. */
const access = z.strictObject({
  access_token: optional(z.string().max(2000)).describe('Access token, as the visitor entered it.'),
  after_login: optional(z.union([z.boolean(), z.literal([0, 1])])).describe(
    'Whether the token was entered just before.',
  ),
});

/** Calls made by visitors' pages. */
export const visit = {
  settings: call({
    method: 'GET',
    path: '/settings',
    summary: 'What anybody may know about the organization.',
    access: 'public',
    output: settingsSchema,
    errors: ['not_found'],
  }),
  list: call({
    method: 'GET',
    path: '/endpoints',
    summary: 'The visible structures; the first is the home page.',
    access: 'public',
    output: z.array(publicEndpointRowSchema),
    errors: ['not_found'],
  }),
  one: call({
    method: 'GET',
    path: '/endpoints/:slugOne',
    summary: 'The structure at this address with its room.',
    access: 'public',
    params: oneSlug,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out'],
  }),
  two: call({
    method: 'GET',
    path: '/endpoints/:slugOne/:slugTwo',
    summary: 'The structure at this address with its room.',
    access: 'public',
    params: twoSlugs,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out'],
  }),
  enterHome: call({
    method: 'POST',
    path: '/endpoints',
    summary: 'Opens the home page, which is the first visible structure, as at its own address.',
    access: 'public',
    body: access,
    output: publicEndpointSchema,
    errors: ['not_found', 'code_required', 'signed_out', 'too_many', 'stale'],
  }),
  enterOne: call({
    method: 'POST',
    path: '/endpoints/:slugOne',
    summary:
      'Opens the structure at this address with an access token; the visitor token is in `token` and in the Authorization header. A cookie that comes with it opens the files of the room to the browser, as long as the visit goes on.',
    access: 'public',
    params: oneSlug,
    body: access,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out', 'too_many', 'stale'],
  }),
  enterTwo: call({
    method: 'POST',
    path: '/endpoints/:slugOne/:slugTwo',
    summary:
      'Opens the structure at this address with an access token; the visitor token is in `token` and in the Authorization header. A cookie that comes with it opens the files of the room to the browser, as long as the visit goes on.',
    access: 'public',
    params: twoSlugs,
    body: access,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out', 'too_many', 'stale'],
  }),
  feedItems: call({
    method: 'GET',
    path: '/feeds/:id/items',
    summary:
      'Items of a feed that fills a group in a room which the caller may enter, newest first; a hundred at most.',
    access: 'public',
    params: idParams,
    output: z.array(feedItemSchema),
  }),
  shareChallenge: call({
    method: 'GET',
    path: '/share/challenge',
    summary: 'A task for a browser that is about to share: its proof of work is sent along, once, within ten minutes.',
    access: 'public',
    query: z.strictObject({ feed_id: idText.describe('Local feed that something is shared to.') }),
    output: challengeSchema,
    errors: ['not_found'],
  }),
  share: call({
    method: 'POST',
    path: '/share',
    summary:
      'Puts a message, an image or both into a local feed that a room shares to. Where the feed is moderated, it may wait for approval.',
    access: 'public',
    body: z.object({
      name: line(120).min(1, 'Enter your name.').describe('Who it is from.'),
      message: text(2000).default('').describe('The message, as plain text.'),
      feed_id: id.describe('Local feed that it goes into.'),
      proof: z
        .string()
        .max(1000)
        .optional()
        .describe('Proof of work: the challenge, a colon, and the solutions separated by commas. It may be left out.'),
    }),
    files: ['file'],
    output: feedItemSchema.extend({
      is_waiting: z.boolean().describe('Whether nobody sees it before somebody has approved it; its image neither.'),
    }),
    errors: ['not_found', 'bad_file', 'too_many', 'timeout'],
    status: 201,
  }),
};
