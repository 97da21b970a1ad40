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
    summary: 'What is published and scheduled of a space, earlier publications, and what has changed since.',
    access: 'rooms.view_any',
    params: idParams,
    output: publicationSchema,
  }),
  publish: call({
    method: 'POST',
    path: '/backend/rooms/:id/publish',
    summary:
      'Publishes a space as it is now, or as it was at a revision; with a time, then. The state is that of the moment of the call in any case. A new schedule takes the place of the former one. A local time that is skipped when clocks go forward is as much later; of one that comes twice, the first counts.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      revision_id: id
        .optional()
        .describe('Revision to publish, such as one to go back to; the present state without it.'),
      at: localMoment.optional().describe('When, as clocks show it in the zone: 2026-03-29T19:55. Now without it.'),
      zone: z.string().max(64).optional().describe('IANA time zone of that time, such as Europe/Amsterdam.'),
    }),
    output: publicationSchema,
    errors: ['too_large'],
  }),
  unpublish: call({
    method: 'POST',
    path: '/backend/rooms/:id/unpublish',
    summary:
      'Takes the publication of a space back: structures that show it as published are closed for visitors. What is scheduled stays so.',
    access: 'rooms.update',
    params: idParams,
    output: publicationSchema,
    errors: ['invalid'],
  }),
  cancel: call({
    method: 'DELETE',
    path: '/backend/rooms/:id/schedule',
    summary: 'Cancels what is scheduled to be published.',
    access: 'rooms.update',
    params: idParams,
    output: publicationSchema,
    errors: ['invalid'],
  }),
  createPreviewLink: call({
    method: 'POST',
    path: '/backend/rooms/:id/preview-links',
    summary:
      'Makes an address that shows a structure with the space as it is edited, to whoever has it, until it expires: without an access token, before its start time, and while the structure is hidden.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      expires_in: z
        .int()
        .min(PREVIEW_SECONDS.min, 'Use at least 60 seconds.')
        .max(PREVIEW_SECONDS.max, 'Use at most 7 days.')
        .describe('Seconds for which it works; 604800, 7 days, at most.'),
      endpoint_id: id
        .optional()
        .describe(
          'Structure that shows the space; without it the first one that shows it as published, or else shows it.',
        ),
    }),
    output: z.object({
      url: z.string().describe('The address.'),
      expires_at: z.string().describe('Until when it works, UTC.'),
    }),
    errors: ['invalid'],
    status: 201,
  }),
};
