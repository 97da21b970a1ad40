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
    summary: 'What visitors shared into the feeds of the organization, newest first.',
    access: 'settings.view_any',
    query: listQuery.extend({
      search: listQuery.shape.search.describe('Words that the name or the message contains.'),
    }),
    output: z.array(shareSchema),
    paged: true,
  }),
  eraseShares: call({
    method: 'POST',
    path: '/backend/privacy/erase-shares',
    summary: 'Removes what visitors shared, with the images that nothing else uses. It cannot be restored.',
    access: 'settings.delete',
    body: z.strictObject({
      ids: z.array(id).min(1).max(MAX_AT_ONCE).describe('Ids of the messages; those that are gone are passed over.'),
    }),
    output: z.object({ erased: z.int().describe('How many were removed.') }),
    errors: ['not_found'],
    done: 'What was shared has been removed.',
  }),
  eraseUser: call({
    method: 'POST',
    path: '/backend/privacy/erase-user',
    summary:
      'Erases a person who is a user, or was one, or was given access tokens: account, sessions and keys go; history, audit log, kept messages and access tokens name them no longer. The access tokens stay valid. It cannot be restored.',
    access: 'settings.delete',
    body: z.strictObject({ email: email.describe('E-mail address of the person.') }),
    output: z.object({
      was_user: z.boolean().describe('Whether they were a user until now.'),
      entries: z.int().describe('Entries of the history and the audit log that name them no longer.'),
      tokens: z.int().describe('Access tokens that name them as their holder no longer.'),
      messages: z.int().describe('Messages to them that were removed from the outbox of the server.'),
    }),
    errors: ['not_found'],
    done: 'The person has been erased.',
  }),
};
