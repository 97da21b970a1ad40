import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { Feed, FeedType, Moderation, ShareState } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { lastEditors } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import {
  countItems,
  type FeedRow,
  findFeed,
  moderationOf,
  removedFeed,
  takeConnection,
  updateFeed,
} from './queries.ts';
import { columnsOfToken, forgetReading, freshenFeed, keepItems, readPicdrop } from './refresh-feed.ts';
import { removeShares, restoreShares, setShareStates } from './shares.ts';

interface FeedConfig {
  feed_url?: string;
}

export const configOf = ({ config }: FeedRow): FeedConfig => JSON.parse(config);

/** Whether a feed is readable without further authorization. */
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
  return orNotFound(await findFeed(db, organizationId, id));
}

/** @param redirect_url where the browser authorizes access to the source */
export async function readFeed(context: CallContext, id: number, redirect_url: string | null = null): Promise<Feed> {
  const [feed] = await asFeeds(context, [await feedRowOf(context, id)]);
  return { ...feed!, redirect_url };
}

/** The change log omits the notified addresses. */
export const feedRows = recordedRows('feeds', {
  entity: 'feed',
  logged: (row) => {
    const { name, type, config } = row;
    const { notify, ...moderation } = moderationOf(row);
    return { name, type, config, ...(type === 'local' && { moderation }) };
  },
  isRestorable: true,
});

/** Milliseconds within which an Instagram redirect must return. */
const CONNECT_TIME = 10 * 60 * 1000;

/** @throws ApiError not_set_up */
async function instagramOf({ outgoing, organizationId }: CallContext): Promise<InstagramClient> {
  const { instagram } = await outgoing.of(organizationId);
  if (!instagram) throw new ApiError('not_set_up');
  return instagram;
}

/** A new state for a redirect: its columns, and the redirect URL. */
export function beginConnection(context: CallContext, instagram: InstagramClient) {
  const state = createToken();
  const columns = {
    connect_hash: hashToken(state),
    connect_expires_at: timestampOf(context.clock.now() + CONNECT_TIME),
  };
  return { columns, redirect: instagram.authorization(state) };
}

/**
 * Connects a feed with the account whose owner authorized access.
 * @returns its id
 * @throws ApiError not_found if the redirect expired or was already used
 */
export async function connectFeed(context: CallContext, body: { state: string; code: string }): Promise<number> {
  const { db: database, organizationId, clock } = context;
  const instagram = await instagramOf(context);
  const row = await takeConnection(database, organizationId, hashToken(body.state), timestampOf(clock.now()));
  if (!row)
    throw new ApiError(
      'not_found',
      'The authorization has expired or was already used. Save the feed to grant access again.',
    );
  const token = await columnsOfToken(context, row, await instagram.connect(body.code));
  await database.transaction().execute(async (db) => {
    const updated_at = nextTimestamp(clock, row.updated_at);
    await updateFeed(db, row.id, { ...token, problem: '', fetched_at: null, updated_at });
    const change = { action: 'update', entity: 'feed', entity_id: row.id, name: row.name } as const;
    await recordChange(db, context, { ...change, before: { is_connected: false }, after: { is_connected: true } });
  });
  forgetReading(context, row.id);
  await freshenFeed(context, await feedRowOf(context, row.id));
  return row.id;
}

/** The items at a URL. An unreadable URL is reported to the user who enters it, not to visitors. */
export const readAddress = (context: CallContext, url: string) =>
  readPicdrop(context, url, timestampOf(context.clock.now()));

/** Only visitor messages are moderated. */
export function refuseModeration(type: string, moderation: Partial<Moderation>): void {
  if (type !== 'local' && Object.keys(moderation).length > 0)
    throw new ApiError('invalid', { moderation: ['Moderation is available for local feeds only. Omit this field.'] });
}

/** Only Picdrop feeds have a URL. */
export function refuseAddress(type: string, { feed_url }: FeedConfig): void {
  if (feed_url !== undefined && type !== 'picdrop')
    throw new ApiError('invalid', { 'config.feed_url': ['Only Picdrop feeds have a URL. Omit this field.'] });
}

/**
 * Adds a feed.
 * @throws ApiError not_set_up, or invalid if its URL cannot be read
 */
export async function createFeed(context: CallContext, body: z.output<typeof calls.feeds.create.body>): Promise<Feed> {
  const { name, type, config, moderation = {} } = body;
  refuseAddress(type, config);
  refuseModeration(type, moderation);
  const connection = type === 'instagram' ? beginConnection(context, await instagramOf(context)) : null;
  const items = config.feed_url === undefined ? null : await readAddress(context, config.feed_url);
  const values = {
    name,
    type,
    config: JSON.stringify(config),
    moderation: JSON.stringify(moderation),
    secret: null,
    secret_expires_at: null,
    connect_hash: null,
    connect_expires_at: null,
    ...connection?.columns,
    fetched_at: null,
    problem: '',
  };
  const row = await context.db.transaction().execute((db) => feedRows.create(db, context, values));
  if (items) await keepItems(context, row, items);
  return readFeed(context, row.id, connection?.redirect);
}

/** @throws ApiError not_found */
export async function removeFeed(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute((db) => feedRows.remove(db, context, id, (row) => removedFeed(db, row)));
  forgetReading(context, id);
}

/**
 * Applies one change to several visitor messages.
 * @returns the number of changed messages
 * @throws ApiError not_found if none of them exists
 */
export async function updateItems(
  context: CallContext,
  ids: readonly number[],
  to: ShareState | 'restored',
): Promise<number> {
  return context.db.transaction().execute(async (db) => {
    const { found, changed } =
      to === 'removed'
        ? await removeShares(db, context, ids)
        : to === 'restored'
          ? await restoreShares(db, context, ids)
          : await setShareStates(db, context, ids, to);
    if (found === 0) throw new ApiError('not_found');
    return changed;
  });
}
