import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { shareSchema } from '../entities.ts';
import { listQuery } from '../inputs.ts';
import { email } from './users.ts';

/** Maximum messages removed per call. */
const MAX_AT_ONCE = 1000;

/** Personal data: export and erasure on request. */
export const privacy = {
  listShares: call({
    method: 'GET',
    path: '/backend/privacy/shares',
    summary: 'Lists messages that visitors shared, newest first.',
    access: 'settings.view_any',
    query: listQuery.extend({
      search: listQuery.shape.search.describe('Text contained in the name or message.'),
    }),
    output: z.array(shareSchema),
    paged: true,
  }),
  eraseShares: call({
    method: 'POST',
    path: '/backend/privacy/erase-shares',
    summary: 'Permanently deletes shared messages, and their images if unused elsewhere.',
    access: 'settings.delete',
    body: z.strictObject({
      ids: z.array(id).min(1).max(MAX_AT_ONCE).describe('Message IDs. Unknown IDs are ignored.'),
    }),
    output: z.object({ erased: z.int().describe('Number of deleted messages.') }),
    errors: ['not_found'],
    done: 'The messages have been deleted.',
  }),
  eraseUser: call({
    method: 'POST',
    path: '/backend/privacy/erase-user',
    summary:
      "Erases the personal data of a current or former user or token holder. Deletes the account, sessions and keys, and removes the name from the history, audit log, stored messages and access tokens. The access tokens stay valid. This can't be undone.",
    access: 'settings.delete',
    body: z.strictObject({ email: email.describe('E-mail address of the person.') }),
    output: z.object({
      was_user: z.boolean().describe('Whether the person was a user until now.'),
      entries: z.int().describe('Number of anonymized history, audit log and mailing entries.'),
      tokens: z.int().describe('Number of access tokens without a holder now.'),
      messages: z.int().describe('Number of mails to the person removed from the outbox and mailings.'),
    }),
    errors: ['not_found'],
    done: 'The personal data has been erased.',
  }),
};
