import { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { TOKEN_ORDERS } from '../../../../src/contract/calls/access-tokens.ts';
import { API_KEY_ORDERS } from '../../../../src/contract/calls/api-keys.ts';
import { BLOCK_ORDERS } from '../../../../src/contract/calls/blocks.ts';
import { FEED_ORDERS } from '../../../../src/contract/calls/feeds.ts';
import { LIVE_STREAM_ORDERS } from '../../../../src/contract/calls/live-streams.ts';
import { TEMPLATE_ORDERS } from '../../../../src/contract/calls/templates.ts';
import { USER_ORDERS } from '../../../../src/contract/calls/users.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { STATISTICS_GROUP_NAMES } from '../../../../src/contract/entities.ts';
import type { Database } from '../../../../src/server/core/db/database.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

/** A week of statistics. */
const RANGE = 'from=2026-03-01T00:00:00.000Z&till=2026-03-08T00:00:00.000Z';

const ordersIn = (orders: readonly string[]) => orders.map((sort) => `sort=${sort}`);

/** Every list, with queries that ask for it in the ways that screens do. */
const LISTS: Record<string, { call: Call; queries: string[]; params?: Record<string, unknown> }> = {
  rooms: { call: calls.rooms.list, queries: ['', 'page=3', 'search=hall'] },
  'posters of spaces': { call: calls.rooms.readPoster, queries: [''], params: { id: 1 } },
  'posters of structures': { call: calls.endpoints.readPoster, queries: [''], params: { id: 1 } },
  templates: { call: calls.templates.list, queries: ['', 'search=hall'] },
  users: { call: calls.users.list, queries: ['', 'search=hall'] },
  'api keys': { call: calls.apiKeys.list, queries: ['', 'search=hall'] },
  'access tokens': {
    call: calls.accessTokens.list,
    queries: [
      '',
      'endpoint_id=1',
      'state=unused',
      'state=running',
      'endpoint_id=1&state=expired',
      'used=1',
      'endpoint_id=1&used=1',
      'search=hall',
      'endpoint_id=1&before_id=90',
      ...TOKEN_ORDERS.map((sort) => `sort=${sort}&endpoint_id=1`),
      ...TOKEN_ORDERS.filter((sort) => !sort.endsWith('token')).map((sort) => `sort=${sort}&page=2`),
    ],
  },
  revisions: { call: calls.revisions.list, queries: [''], params: { id: 1 } },
  publications: { call: calls.publications.read, queries: [''], params: { id: 1 } },
  elements: { call: calls.elements.list, queries: ['room_id=1'] },
  endpoints: { call: calls.endpoints.list, queries: [''] },
  media: {
    call: calls.media.list,
    queries: ['', `filters=${btoa('[{"type":"current_user"}]')}`, 'folder_id=0', 'sort=-bytes'],
  },
  pictures: { call: calls.media.images, queries: ['', 'search=hall'] },
  models: { call: calls.media.objects, queries: [''] },
  'the change log': {
    call: calls.history.list,
    queries: ['', 'entity=element&entity_id=1', 'room_id=1', 'user_id=1', 'removed=1', 'search=hall'],
  },
  'live streams': { call: calls.liveStreams.list, queries: [''] },
  feeds: { call: calls.feeds.list, queries: [''] },
  webhooks: { call: calls.webhooks.list, queries: [''] },
  mailings: { call: calls.mailings.list, queries: ['', 'endpoint_id=1'] },
  'e-mails of mailings': { call: calls.mailings.emails, queries: ['', 'state=sent'], params: { id: 1 } },
  'messages of webhooks': { call: calls.webhooks.deliveries, queries: [''], params: { id: 1 } },
  'public structures': { call: calls.visit.list, queries: [''] },
};

/** What is summed, or gathered from several places, and put in order only then: an index finds its rows all the same. */
const GATHERED: typeof LISTS = {
  'shared items': {
    call: calls.feeds.listItems,
    queries: ['', 'state=waiting', 'state=hidden', 'state=removed', 'feed_id=1', 'search=hall', 'sort=oldest'],
  },
  statistics: { call: calls.statistics.read, queries: [RANGE, `${RANGE}&endpoint_id=1`] },
  'statistics in groups': {
    call: calls.statistics.list,
    queries: STATISTICS_GROUP_NAMES.flatMap((by) => [`${RANGE}&by=${by}`, `${RANGE}&by=${by}&endpoint_id=1`]),
  },
  // There are few of each: no index would be worth these orders.
  'templates in other orders': { call: calls.templates.list, queries: ordersIn(TEMPLATE_ORDERS) },
  blocks: { call: calls.blocks.list, queries: ['', 'search=hall', ...ordersIn(BLOCK_ORDERS)] },
  'places of a block': { call: calls.blocks.places, queries: [''], params: { id: 1 } },
  'live streams in other orders': { call: calls.liveStreams.list, queries: ordersIn(LIVE_STREAM_ORDERS) },
  'feeds in other orders': { call: calls.feeds.list, queries: ordersIn(FEED_ORDERS) },
  'users in other orders': { call: calls.users.list, queries: ordersIn(USER_ORDERS) },
  'api keys in other orders': { call: calls.apiKeys.list, queries: ordersIn(API_KEY_ORDERS) },
  problems: { call: calls.statistics.problems, queries: [''] },
};

/** One step of PostgreSQL's plan. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Step[];
}

/** Whether a fault is that rows are put in order after they were found. */
const isSorting = (fault: string): boolean => /TEMP B-TREE|^(?:Incremental )?Sort/.test(fault);

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** What is wrong with how a query is answered; nothing when all is found by an index. */
async function faultsOf(db: Database, kind: string, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const explain = (prefix: string): CompiledQuery => ({ ...sql``.compile(db), sql: `${prefix} ${text}`, parameters });
  if (kind === 'sqlite') {
    // A list that a statement brings along, as JSON, is no table.
    const { rows } = await db.executeQuery<{ detail: string }>(explain('explain query plan'));
    return rows
      .map(({ detail }) => detail)
      .filter(
        (detail) => /^SCAN (?!json_each|.* USING (?:COVERING )?INDEX)/.test(detail) || detail.includes('TEMP B-TREE'),
      );
  }
  return db.transaction().execute(async (transaction) => {
    // The tables are small here: a plan without them must be possible, whatever the planner would choose.
    for (const way of ['seqscan', 'sort', 'bitmapscan'])
      await sql.raw(`set local enable_${way} = off`).execute(transaction);
    const { rows } = await transaction.executeQuery<{ 'QUERY PLAN': { Plan: Step }[] }>(
      explain('explain (format json)'),
    );
    return (
      stepsOf(rows[0]!['QUERY PLAN'][0]!.Plan)
        // What waits to be indexed is a few rows.
        .filter((step) => step['Relation Name'] !== 'access_token_search_queue')
        .filter((step) => /^(?:Seq Scan|Sort|Incremental Sort)$/.test(step['Node Type']))
        .map((step) => `${step['Node Type']} ${step['Relation Name'] ?? ''}`)
    );
  });
}

describe.each(databases)('how lists are read on %s', (kind) => {
  let api: ApiApp;
  const asked: CompiledQuery[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    const { rooms, endpoints, accessTokens } = api.client();
    const room = await rooms.create({ body: { title: 'Hall' } });
    await rooms.addElement({ params: { id: room.id }, body: { element: 'group' } });
    const endpoint = await endpoints.create({ body: { name: 'Hall', room_id: room.id } });
    await api.client().webhooks.create({
      body: { name: 'Build', url: 'https://build.example.com', events: ['space.published'] },
    });
    await api.client().blocks.create({ body: { name: 'Desk', element: { id: 1, element: 'group' } } });
    const words = { name: 'Opening', subject: 'Welcome', text: '{link}' };
    await api.client().mailings.create({ body: { endpoint_id: endpoint.id, ...words } });
    await accessTokens.createMany({ body: { endpoint_id: endpoint.id, count: 200 } });
    // What is asked past Kysely is seen when SQLite first reads its text; a plan needs no values.
    const prepare = DatabaseSync.prototype.prepare;
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, text, options) {
      if (!text.startsWith('explain')) asked.push({ ...sql``.compile(api.services.db), sql: text, parameters: [] });
      return prepare.call(this, text, options);
    });
    const executor = api.services.db.getExecutor();
    const ask = executor.executeQuery.bind(executor);
    executor.executeQuery = (query, ...rest) => {
      asked.push(query);
      return ask(query, ...rest);
    };
  });
  afterAll(() => {
    vi.restoreAllMocks();
    return api.close();
  });

  /** Asks for a list in each way, and gives what is wrong with every query of it. */
  const faultsOfList = async ({ call, queries, params = {} }: (typeof LISTS)[string]) => {
    let seen = 0;
    const faults: { fault: string; of: string }[] = [];
    for (const query of queries) {
      asked.length = 0;
      const { status } = await api.call(call, params, { query, token: api.one.admin.token });
      expect(status, query).toBe(200);
      // The few organizations that a host name may stand for are told apart in any case.
      const isList = (text: string) => /^select (?!.* from "organizations")/.test(text);
      // Queues look for due work at the same time.
      const selects = asked.filter(({ sql: text }) => isList(text) && !text.includes('"next_at" <='));
      seen += selects.length;
      for (const select of selects)
        for (const fault of await faultsOf(api.services.db, kind, select))
          faults.push({ fault, of: `${query}: ${select.sql}` });
    }
    expect(seen).toBeGreaterThan(0);
    return faults;
  };

  it.each(Object.entries(LISTS))('%s: an index finds the rows and has them in order', async (_name, list) => {
    expect(await faultsOfList(list)).toEqual([]);
  });

  it.each(Object.entries(GATHERED))('%s: an index finds the rows', async (_name, list) => {
    expect((await faultsOfList(list)).filter(({ fault }) => !isSorting(fault))).toEqual([]);
  });

  it('a query without an index would be noticed', async () => {
    const { db } = api.services;
    const scanned = db.selectFrom('rooms').selectAll().where('description', '=', 'x').compile();
    const sorted = db.selectFrom('rooms').selectAll().where('organization_id', '=', 1).orderBy('description').compile();
    for (const query of [scanned, sorted]) expect(await faultsOf(db, kind, query)).toHaveLength(1);
  });
});
