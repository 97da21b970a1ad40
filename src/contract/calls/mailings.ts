import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import {
  EMAIL_STATES,
  MAX_RECIPIENTS,
  mailingEmailSchema,
  mailingSchema,
  mailingSelection,
  mailTestSchema,
  recipientsSchema,
  stamp,
} from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';

const { endpoint_id, name, subject, text, reply_to, language, selection } = mailingSchema.shape;
const { page, per_page } = listQuery.shape;

const fields = {
  name,
  subject,
  text,
  reply_to: reply_to.default(null),
  language: language.default('en'),
  selection: selection.default({}),
};

/** The chosen e-mails of a mailing. */
const chosen = z.strictObject({ ids: z.array(id).min(1).max(MAX_RECIPIENTS).describe('E-mail IDs.') });

/** Mailings to the holders of access tokens. */
export const mailings = {
  list: call({
    method: 'GET',
    path: '/backend/mailings',
    summary: 'Lists mailings, newest first.',
    access: 'access_tokens.view_any',
    query: z.strictObject({ page, per_page, endpoint_id: idText.optional().describe('Filter by structure.') }),
    output: z.array(mailingSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/mailings/:id',
    summary: 'Returns a mailing.',
    access: 'access_tokens.view_any',
    params: idParams,
    output: mailingSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/mailings',
    summary: 'Creates a draft of a mailing.',
    access: 'access_tokens.create',
    body: z.strictObject({ endpoint_id, ...fields }),
    output: mailingSchema,
    status: 201,
    done: 'The draft has been saved.',
    errors: ['not_found'],
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'mailings.read', moving: ['structure', 'state', 'problem', 'counts', 'started_at'] },
    path: '/backend/mailings/:id',
    summary: 'Updates the given fields of a draft. Another structure resets the selection, unless one is given.',
    access: 'access_tokens.update',
    params: idParams,
    body: z.strictObject({ ...editShape({ endpoint_id, ...fields }), updated_at: stamp.optional() }),
    output: mailingSchema,
    done: 'The draft has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/mailings/:id',
    summary: 'Deletes a mailing and the record of its e-mails. Pause it first while it is being sent.',
    access: 'access_tokens.delete',
    params: idParams,
    output: z.null(),
    errors: ['in_use'],
    done: 'The mailing has been removed.',
  }),
  test: call({
    method: 'POST',
    path: '/backend/mailings/:id/test',
    summary: "Sends the mailing to the caller's own address, with the data of the first recipient.",
    access: 'access_tokens.update',
    params: idParams,
    body: mailingSelection,
    output: mailTestSchema,
    errors: ['too_many', 'quota'],
  }),
  recipients: call({
    method: 'POST',
    path: '/backend/mailings/recipients',
    summary: 'Returns who would receive a mailing. Sends nothing.',
    access: 'access_tokens.view_any',
    body: z.strictObject({
      endpoint_id,
      mailing_id: id.optional().describe('Mailing that may include some of them already.'),
      language: fields.language,
      ...mailingSelection.shape,
    }),
    output: recipientsSchema,
    errors: ['not_found'],
  }),
  send: call({
    method: 'POST',
    path: '/backend/mailings/:id/send',
    summary:
      "Starts sending to the given access tokens, or the mailing's selection: once to each, however often it is called. Tokens without an e-mail address are skipped.",
    access: 'access_tokens.update',
    params: idParams,
    body: mailingSelection,
    output: mailingSchema,
    errors: ['quota'],
    done: 'The e-mails are being sent.',
  }),
  pause: call({
    method: 'POST',
    path: '/backend/mailings/:id/pause',
    summary: 'Pauses sending.',
    access: 'access_tokens.update',
    params: idParams,
    output: mailingSchema,
    errors: ['invalid'],
    done: 'The mailing has been paused.',
  }),
  resume: call({
    method: 'POST',
    path: '/backend/mailings/:id/resume',
    summary: 'Continues sending.',
    access: 'access_tokens.update',
    params: idParams,
    output: mailingSchema,
    errors: ['invalid'],
    done: 'The mailing is being sent.',
  }),
  emails: call({
    method: 'GET',
    path: '/backend/mailings/:id/emails',
    summary: 'Lists the e-mails of a mailing.',
    access: 'access_tokens.view_any',
    params: idParams,
    query: z.strictObject({ page, per_page, state: z.enum(EMAIL_STATES).optional().describe('Filter by state.') }),
    output: z.array(mailingEmailSchema),
    paged: true,
  }),
  resend: call({
    method: 'POST',
    path: '/backend/mailings/:id/resend',
    summary: 'Sends rejected, uncertain or sent e-mails once more. The recipients may get a second copy.',
    access: 'access_tokens.update',
    params: idParams,
    body: chosen,
    output: mailingSchema,
    errors: ['quota'],
    done: 'The e-mails are being sent again.',
  }),
  markSent: call({
    method: 'POST',
    path: '/backend/mailings/:id/mark-sent',
    summary: 'Marks uncertain e-mails as sent.',
    access: 'access_tokens.update',
    params: idParams,
    body: chosen,
    output: mailingSchema,
    done: 'The e-mails have been marked as sent.',
  }),
};
