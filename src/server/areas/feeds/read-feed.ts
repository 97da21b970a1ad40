import type { Feed, FeedType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { countItems } from '../../store/feeds/feed-items-repository.ts';
import { type FeedRow, findFeed } from '../../store/feeds/feeds-repository.ts';
import { moderationOf } from '../../store/feeds/moderation.ts';
import { lastEditors } from '../../store/history/last-editors.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';

/** What is set about a feed. */
export interface FeedConfig {
  feed_url?: string;
}

export const configOf = ({ config }: FeedRow): FeedConfig => JSON.parse(config);

/** Whether nothing needs to be permitted before a feed can be read. */
export const isConnected = ({ clock }: CallContext, { type, secret, secret_expires_at: till }: FeedRow): boolean =>
  type !== 'instagram' || (secret !== null && till !== null && till > timestampOf(clock.now()));

/** Feeds as settings show them. */
export async function asFeeds(context: CallContext, rows: readonly FeedRow[]): Promise<Feed[]> {
  const { db, organizationId } = context;
  const ids = rows.map(({ id }) => id);
  const counts = await countItems(db, ids);
  const editors = await lastEditors(db, organizationId, 'feed', ids);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type as FeedType,
    config: { feed_url: configOf(row).feed_url ?? '' },
    is_connected: isConnected(context, row),
    redirect_url: null,
    fetched_at: row.fetched_at,
    problem: row.problem,
    items_count: counts.get(row.id)?.items ?? 0,
    waiting_count: counts.get(row.id)?.waiting ?? 0,
    moderation: moderationOf(row),
    updated_at: row.updated_at,
    edited_by: editors.get(row.id) ?? null,
    policies: entryPoliciesOf(context, 'settings'),
  }));
}

/** @throws ApiError not_found */
export async function feedRowOf({ db, organizationId }: CallContext, id: number): Promise<FeedRow> {
  const row = await findFeed(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

/** @param redirect_url where the browser goes to permit that it is read */
export async function readFeed(context: CallContext, id: number, redirect_url: string | null = null): Promise<Feed> {
  const [feed] = await asFeeds(context, [await feedRowOf(context, id)]);
  return { ...feed!, redirect_url };
}

/** What the change log shows of a feed: not whose addresses are told of what waits. */
export function loggedFeed(row: Pick<FeedRow, 'name' | 'type' | 'config' | 'moderation'>) {
  const { name, type, config } = row;
  const { notify, ...moderation } = moderationOf(row);
  return { name, type, config, ...(type === 'local' && { moderation }) };
}
