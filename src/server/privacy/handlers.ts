import { ApiError } from '../../contract/errors.ts';
import type { Handlers } from '../api/handler.ts';
import { pageMeta } from '../api/paging.ts';
import { recordEvent } from '../audit/record-event.ts';
import { eraseShares } from './erase-shares.ts';
import { eraseUser } from './erase-user.ts';
import { findShares, listShares } from './shares-repository.ts';

export const privacy: Handlers<'privacy'> = {
  listShares: async ({ db, organizationId }, { query }) => {
    const { shares, total } = await listShares(db, organizationId, query);
    return { data: shares, meta: pageMeta(total, query) };
  },

  eraseShares: async (context, { body }) => {
    const { db, organizationId } = context;
    const shares = await findShares(db, organizationId, body.ids);
    if (shares.length === 0) throw new ApiError('not_found');
    await eraseShares(context, organizationId, shares, (transaction) =>
      recordEvent(transaction, context, {
        event: 'person_erased',
        subject: 'What visitors shared',
        details: { messages: shares.length },
      }),
    );
    return { erased: shares.length };
  },

  eraseUser: async (context, { body }) => eraseUser(context, body.email),
};
