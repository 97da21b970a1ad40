import { ApiError } from '../../../contract/errors.ts';
import { forgetReading } from '../../jobs/feeds/freshen-feed.ts';
import { keepFeed } from '../../store/bin/removed-rows.ts';
import type { CallContext } from '../../store/call-context.ts';
import { deleteFeed, lockFeed } from '../../store/feeds/feeds-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { loggedFeed } from './read-feed.ts';

/** @throws ApiError not_found */
export async function removeFeed(context: CallContext, id: number): Promise<void> {
  const { organizationId } = context;
  await context.db.transaction().execute(async (db) => {
    const row = await lockFeed(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    const content = await keepFeed(db, row);
    await deleteFeed(db, row.id);
    const change = { action: 'delete', entity: 'feed', entity_id: row.id, name: row.name } as const;
    await recordChange(db, context, { ...change, before: loggedFeed(row), content });
  });
  forgetReading(context, id);
}
