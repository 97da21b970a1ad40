import type { Feed, FeedType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import { pageMeta } from '../../base/db/paging.ts';
import { createToken, hashToken } from '../../base/secrets/token.ts';
import { forgetReading, freshenFeed, keepItems } from '../../jobs/feeds/freshen-feed.ts';
import { columnsOfToken } from '../../jobs/feeds/read-instagram.ts';
import { readPicdrop } from '../../jobs/feeds/read-picdrop.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import type { CallContext } from '../../store/call-context.ts';
import { countItems } from '../../store/feeds/feed-items-repository.ts';
import {
  deleteFeed,
  type FeedRow,
  findFeed,
  insertFeed,
  listFeeds,
  lockFeed,
  takeConnection,
  updateFeed,
} from '../../store/feeds/feeds-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import type { Handlers } from '../handler.ts';

/** Milliseconds in which a redirect of Instagram must come back. */
const CONNECT_TIME = 10 * 60 * 1000;

interface Config {
  feed_url?: string;
}

const configOf = ({ config }: FeedRow): Config => JSON.parse(config);

const isConnected = ({ clock }: CallContext, { type, secret, secret_expires_at: till }: FeedRow): boolean =>
  type !== 'instagram' || (secret !== null && till !== null && till > timestampOf(clock.now()));

async function asFeeds(context: CallContext, rows: readonly FeedRow[]): Promise<Feed[]> {
  const counts = await countItems(
    context.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type as FeedType,
    config: { feed_url: configOf(row).feed_url ?? '' },
    is_connected: isConnected(context, row),
    redirect_url: null,
    fetched_at: row.fetched_at,
    problem: row.problem,
    items_count: counts.get(row.id) ?? 0,
    updated_at: row.updated_at,
    policies: entryPoliciesOf(context, 'settings'),
  }));
}

async function rowOf({ db, organizationId }: CallContext, id: number): Promise<FeedRow> {
  const row = await findFeed(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

async function one(context: CallContext, id: number, redirect_url: string | null = null): Promise<Feed> {
  const [feed] = await asFeeds(context, [await rowOf(context, id)]);
  return { ...feed!, redirect_url };
}

/** @throws ApiError not_set_up */
async function instagramOf({ outgoing, organizationId }: CallContext): Promise<InstagramClient> {
  const { instagram } = await outgoing.of(organizationId);
  if (!instagram) throw new ApiError('not_set_up');
  return instagram;
}

/** A new state for a redirect: its columns, and where the browser goes with it. */
function beginConnection(context: CallContext, instagram: InstagramClient) {
  const state = createToken();
  const columns = {
    connect_hash: hashToken(state),
    connect_expires_at: timestampOf(context.clock.now() + CONNECT_TIME),
  };
  return { columns, redirect: instagram.authorization(state) };
}

/** What the change log shows of a feed. */
const logged = ({ name, type, config }: Pick<FeedRow, 'name' | 'type' | 'config'>) => ({ name, type, config });

const read = (context: CallContext, url: string) => readPicdrop(context, url, timestampOf(context.clock.now()));

/** Only Picdrop has an address. */
function refuseAddress(type: string, { feed_url }: Config): void {
  if (feed_url !== undefined && type !== 'picdrop')
    throw new ApiError('invalid', { 'config.feed_url': ['Only feeds of Picdrop have an address. Leave it out.'] });
}

export const feeds: Handlers<'feeds'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listFeeds(context.db, context.organizationId, query);
    return { data: await asFeeds(context, rows), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body }) => {
    const { organizationId, clock } = context;
    const { name, type, config } = body;
    refuseAddress(type, config);
    const connection = type === 'instagram' ? beginConnection(context, await instagramOf(context)) : null;
    // An address that can not be read is told to whoever enters it, not to visitors.
    const items = config.feed_url === undefined ? null : await read(context, config.feed_url);
    const at = nextTimestamp(clock);
    const row = await context.db.transaction().execute(async (db) => {
      const made = await insertFeed(db, {
        name,
        type,
        config: JSON.stringify(config),
        secret: null,
        secret_expires_at: null,
        connect_hash: null,
        connect_expires_at: null,
        ...connection?.columns,
        fetched_at: null,
        problem: '',
        organization_id: organizationId,
        created_at: at,
        updated_at: at,
      });
      const change = { action: 'create', entity: 'feed', entity_id: made.id, name } as const;
      await recordChange(db, context, { ...change, after: logged(made) });
      return made;
    });
    if (items) await keepItems(context, row, items);
    return one(context, row.id, connection?.redirect);
  },

  connect: async (context, { body }) => {
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
    await freshenFeed(context, await rowOf(context, row.id));
    return one(context, row.id);
  },

  update: async (context, { params, body }) => {
    const { organizationId, clock } = context;
    const { updated_at, name, config = {} } = body;
    const before = await rowOf(context, params.id);
    refuseStale(before.updated_at, updated_at);
    refuseAddress(before.type, config);
    const url = config.feed_url;
    const isNew = url !== undefined && url !== configOf(before).feed_url;
    const items = isNew ? await read(context, url) : null;
    const { instagram } = await context.outgoing.of(organizationId);
    const connection = instagram && !isConnected(context, before) ? beginConnection(context, instagram) : null;
    const row = await context.db.transaction().execute(async (db) => {
      const current = await lockFeed(db, organizationId, params.id);
      if (!current) throw new ApiError('not_found');
      refuseStale(current.updated_at, updated_at);
      const values = {
        name: name ?? current.name,
        config: isNew ? JSON.stringify({ ...configOf(current), feed_url: url }) : current.config,
        ...connection?.columns,
      };
      await updateFeed(db, current.id, { ...values, updated_at: nextTimestamp(clock, current.updated_at) });
      const after = { ...current, ...values };
      const change = { action: 'update', entity: 'feed', entity_id: current.id, name: after.name } as const;
      await recordChange(db, context, { ...change, before: logged(current), after: logged(after) });
      return after;
    });
    if (items) {
      forgetReading(context, row.id);
      await keepItems(context, row, items);
    }
    return one(context, row.id, connection?.redirect);
  },

  remove: async (context, { params }) => {
    const { organizationId } = context;
    await context.db.transaction().execute(async (db) => {
      const row = await lockFeed(db, organizationId, params.id);
      if (!row) throw new ApiError('not_found');
      await deleteFeed(db, row.id);
      const change = { action: 'delete', entity: 'feed', entity_id: row.id, name: row.name } as const;
      await recordChange(db, context, { ...change, before: logged(row) });
    });
    forgetReading(context, params.id);
    return null;
  },
};
