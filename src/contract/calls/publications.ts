import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { localMoment, PREVIEW_SECONDS, publicationSchema } from '../entities.ts';
import { idParams } from '../inputs.ts';

/** Publishing of spaces, independent of editing. */
export const publications = {
  read: call({
    method: 'GET',
    path: '/backend/rooms/:id/publication',
    summary:
      'Returns the current, scheduled and previous publications of a space, and the changes since the current one.',
    access: 'rooms.view_any',
    params: idParams,
    output: publicationSchema,
  }),
  publish: call({
    method: 'POST',
    path: '/backend/rooms/:id/publish',
    summary:
      'Publishes a space now or at a scheduled time, in its current state or that of a revision. A schedule publishes the state at the time of the request and replaces any earlier schedule. A local time skipped by a clock change moves later by the same amount; for a repeated time, the first applies.',
    access: 'rooms.update',
    scope: 'publish',
    params: idParams,
    body: z.strictObject({
      revision_id: id.optional().describe('Revision to publish, such as an earlier one; the current state if omitted.'),
      at: localMoment
        .optional()
        .describe('Local publication time in the zone, such as 2026-03-29T19:55; now if omitted.'),
      zone: z.string().max(64).optional().describe('IANA time zone of `at`, such as Europe/Amsterdam.'),
    }),
    output: publicationSchema,
    errors: ['too_large'],
  }),
  unpublish: call({
    method: 'POST',
    path: '/backend/rooms/:id/unpublish',
    summary:
      'Unpublishes a space. Structures that show the published version are closed to visitors. A scheduled publication remains.',
    access: 'rooms.update',
    scope: 'publish',
    params: idParams,
    output: publicationSchema,
    errors: ['invalid'],
  }),
  cancel: call({
    method: 'DELETE',
    path: '/backend/rooms/:id/schedule',
    summary: 'Cancels the scheduled publication.',
    access: 'rooms.update',
    scope: 'publish',
    params: idParams,
    output: publicationSchema,
    errors: ['invalid'],
  }),
  createPreviewLink: call({
    method: 'POST',
    path: '/backend/rooms/:id/preview-links',
    summary:
      'Creates a temporary preview URL of a structure with the current version of its space. It needs no access token and works before the start time and for hidden structures.',
    access: 'rooms.update',
    scope: 'publish',
    params: idParams,
    body: z.strictObject({
      expires_in: z
        .int()
        .min(PREVIEW_SECONDS.min, 'Use at least 60 seconds.')
        .max(PREVIEW_SECONDS.max, 'Use at most 7 days.')
        .describe('Validity in seconds, at most 604800 (7 days).'),
      endpoint_id: id
        .optional()
        .describe(
          'Structure that shows the space. If omitted, the first that shows the published version, or else the first that shows the space.',
        ),
    }),
    output: z.object({
      url: z.string().describe('Preview URL.'),
      expires_at: z.string().describe('Expiry time in UTC.'),
    }),
    errors: ['invalid'],
    status: 201,
  }),
};
