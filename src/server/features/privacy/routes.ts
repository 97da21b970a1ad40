import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { eraseShares, findShares, listShares } from '../feeds/shares.ts';
import { eraseUser } from './service.ts';

export const privacy: Handlers<'privacy'> = {
  listShares: async ({ db, organizationId }, { query }) => {
    const { shares, total } = await listShares(db, organizationId, { ...query, withRemoved: true });
    return { data: shares, meta: pageMeta(total, query) };
  },

  eraseShares: async (context, { body }) => {
    const { db, organizationId } = context;
    const shares = await findShares(db, organizationId, body.ids);
    if (shares.length === 0) throw new ApiError('not_found');
    await eraseShares(context, organizationId, shares, (transaction) =>
      recordEvent(transaction, context, {
        event: 'person_erased',
        subject: 'Shared messages',
        details: { messages: shares.length },
      }),
    );
    return { erased: shares.length };
  },

  eraseUser: async (context, { body }) => eraseUser(context, body.email),
};
