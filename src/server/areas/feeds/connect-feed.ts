import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import { createToken, hashToken } from '../../base/secrets/token.ts';
import { forgetReading, freshenFeed } from '../../jobs/feeds/freshen-feed.ts';
import { columnsOfToken } from '../../jobs/feeds/read-instagram.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import type { CallContext } from '../../store/call-context.ts';
import { takeConnection, updateFeed } from '../../store/feeds/feeds-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { feedRowOf } from './read-feed.ts';

/** Milliseconds in which a redirect of Instagram must come back. */
const CONNECT_TIME = 10 * 60 * 1000;

/** @throws ApiError not_set_up */
export async function instagramOf({ outgoing, organizationId }: CallContext): Promise<InstagramClient> {
  const { instagram } = await outgoing.of(organizationId);
  if (!instagram) throw new ApiError('not_set_up');
  return instagram;
}

/** A new state for a redirect: its columns, and where the browser goes with it. */
export function beginConnection(context: CallContext, instagram: InstagramClient) {
  const state = createToken();
  const columns = {
    connect_hash: hashToken(state),
    connect_expires_at: timestampOf(context.clock.now() + CONNECT_TIME),
  };
  return { columns, redirect: instagram.authorization(state) };
}

/**
 * Connects a feed with the account that somebody has permitted to be read.
 * @returns its id
 * @throws ApiError not_found when the redirect came too late, or before
 */
export async function connectFeed(context: CallContext, body: { state: string; code: string }): Promise<number> {
  const { db: database, organizationId, clock } = context;
  const instagram = await instagramOf(context);
  const row = await takeConnection(database, organizationId, hashToken(body.state), timestampOf(clock.now()));
  if (!row)
    throw new ApiError('not_found', 'This permission has ended or was used. Save the feed to ask for it again.');
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
