import { z } from 'zod';
import { id, line, optional, text } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import {
  challengeSchema,
  feedItemSchema,
  publicEndpointRowSchema,
  publicEndpointSchema,
  settingsSchema,
} from '../entities.ts';
import { idParams, idText } from '../inputs.ts';

const slug = line(120).min(1);
const oneSlug = z.object({ slugOne: slug });
const twoSlugs = z.object({ slugOne: slug, slugTwo: slug });

/** Credentials for a protected structure. */
const access = z.strictObject({
  access_token: optional(z.string().max(2000)).describe('Access token, as entered by the visitor.'),
  after_login: optional(z.union([z.boolean(), z.literal([0, 1])])).describe(
    'Whether the visitor just entered the token.',
  ),
});

/** Language of the space in the response. */
const inLanguage = z.strictObject({
  lang: z
    .string()
    .max(100)
    .optional()
    .catch(undefined)
    .describe('Language of the texts, as BCP 47 tag; by default chosen by `Accept-Language`.'),
});

/** Calls made by visitors' pages. */
export const visit = {
  settings: call({
    method: 'GET',
    path: '/settings',
    summary: 'Returns the public settings of the organization.',
    access: 'public',
    output: settingsSchema,
    errors: ['not_found'],
  }),
  list: call({
    method: 'GET',
    path: '/endpoints',
    summary: 'Lists visible structures. The first is the home page.',
    access: 'public',
    query: inLanguage,
    output: z.array(publicEndpointRowSchema),
    errors: ['not_found'],
  }),
  one: call({
    method: 'GET',
    path: '/endpoints/:slugOne',
    summary: 'Returns the structure at this path with its room.',
    access: 'public',
    params: oneSlug,
    query: inLanguage,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out'],
  }),
  two: call({
    method: 'GET',
    path: '/endpoints/:slugOne/:slugTwo',
    summary: 'Returns the structure at this path with its room.',
    access: 'public',
    params: twoSlugs,
    query: inLanguage,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out'],
  }),
  enterHome: call({
    method: 'POST',
    path: '/endpoints',
    summary: 'Opens the home page, the first visible structure, like `POST` to its path.',
    access: 'public',
    query: inLanguage,
    body: access,
    output: publicEndpointSchema,
    errors: ['not_found', 'code_required', 'signed_out', 'too_many', 'stale'],
  }),
  enterOne: call({
    method: 'POST',
    path: '/endpoints/:slugOne',
    summary:
      "Opens the structure at this path with an access token. The visitor token is returned in `token` and in the Authorization header. A cookie grants the browser access to the room's files during the visit.",
    access: 'public',
    params: oneSlug,
    query: inLanguage,
    body: access,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out', 'too_many', 'stale'],
  }),
  enterTwo: call({
    method: 'POST',
    path: '/endpoints/:slugOne/:slugTwo',
    summary:
      "Opens the structure at this path with an access token. The visitor token is returned in `token` and in the Authorization header. A cookie grants the browser access to the room's files during the visit.",
    access: 'public',
    params: twoSlugs,
    query: inLanguage,
    body: access,
    output: publicEndpointSchema,
    errors: ['code_required', 'signed_out', 'too_many', 'stale'],
  }),
  feedItems: call({
    method: 'GET',
    path: '/feeds/:id/items',
    summary: 'Lists items of a feed that fills a group in a room open to the caller, newest first, at most 100.',
    access: 'public',
    params: idParams,
    output: z.array(feedItemSchema),
  }),
  shareChallenge: call({
    method: 'GET',
    path: '/share/challenge',
    summary: 'Returns a proof-of-work challenge for sharing, valid once, within ten minutes.',
    access: 'public',
    query: z.strictObject({ feed_id: idText.describe('Local feed to share to.') }),
    output: challengeSchema,
    errors: ['not_found'],
  }),
  share: call({
    method: 'POST',
    path: '/share',
    summary:
      'Shares a message, an image or both to a local feed of a room. If the feed is moderated, the message may wait for approval.',
    access: 'public',
    body: z.object({
      name: line(120).min(1, 'Enter your name.').describe('Name of the author.'),
      message: text(2000).default('').describe('Message as plain text.'),
      feed_id: id.describe('Local feed to share to.'),
      proof: z
        .string()
        .max(1000)
        .optional()
        .describe('Optional proof of work: the challenge, a colon, and comma-separated solutions.'),
    }),
    files: ['file'],
    output: feedItemSchema.extend({
      is_waiting: z.boolean().describe('Whether the message and its image are hidden until approved.'),
    }),
    errors: ['not_found', 'bad_file', 'too_many', 'timeout'],
    status: 201,
  }),
};
