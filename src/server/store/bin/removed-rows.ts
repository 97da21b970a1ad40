import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { withNormal } from '../access-tokens/token-rows-repository.ts';
import type { StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { keepForBin } from '../posters/poster-files.ts';

type Row = Record<string, unknown>;

/** What the change log keeps of a removed thing that is no space: its rows, to be put back as they were. */
export interface RemovedRows {
  /** The rows of the thing itself, those that others stand below first. */
  rows: Row[];
  /** Rows of what belonged to it, by their table. */
  belongings?: Partial<Record<Belonging, Row[]>>;
}

/** Tables whose rows go with a thing. */
export type Belonging = 'access_tokens' | 'endpoint_addresses' | 'feed_items' | 'posters';

/** Most access tokens that are kept of a removed structure: more would make the entry too large to read. */
export const MOST_KEPT_TOKENS = 100_000;
/** Rows that one statement names. */
const ROW_BATCH = 200;

/** Posters of things, whose images stay as long as the things can be restored. */
async function keepPosters(
  db: Database,
  clock: Clock,
  subject: 'endpoint_id' | 'template_id',
  ids: readonly number[],
): Promise<Row[]> {
  const posters = await db.selectFrom('posters').selectAll().where(subject, 'in', ids).orderBy('id').execute();
  for (const { file_id } of posters) if (file_id !== null) await keepForBin(db, clock, file_id);
  return posters;
}

/** A template with its poster. */
export async function keepTemplate(db: Database, clock: Clock, template: { id: number }): Promise<RemovedRows> {
  const posters = await keepPosters(db, clock, 'template_id', [template.id]);
  return { rows: [{ ...template }], ...(posters.length > 0 && { belongings: { posters } }) };
}

/** Structures that are removed together, with their access tokens, the addresses that they had, and their posters. */
export async function keepEndpoints(
  db: Database,
  clock: Clock,
  endpoints: readonly StoredEndpoint[],
): Promise<RemovedRows> {
  const ids = endpoints.map(({ id }) => id);
  const tokens = await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('endpoint_id', 'in', ids)
    .orderBy('id')
    .limit(MOST_KEPT_TOKENS)
    .execute();
  const addresses = await db
    .selectFrom('endpoint_addresses')
    .selectAll()
    .where('endpoint_id', 'in', ids)
    .orderBy('id')
    .execute();
  const posters = await keepPosters(db, clock, 'endpoint_id', ids);
  return {
    rows: endpoints.map(({ room_name: _name, room_title: _title, ...columns }) => columns),
    belongings: { access_tokens: tokens, endpoint_addresses: addresses, ...(posters.length > 0 && { posters }) },
  };
}

/** A feed with its items; what connects it to Instagram is not kept. */
export async function keepFeed(db: Database, feed: { id: number }): Promise<RemovedRows> {
  const items = await db.selectFrom('feed_items').selectAll().where('feed_id', '=', feed.id).orderBy('id').execute();
  return {
    rows: [{ ...feed, secret: null, connect_hash: null, connect_expires_at: null }],
    belongings: { feed_items: items },
  };
}

/** Puts rows into a table under their own ids; those that are there already stay as they are. @returns how many were put */
export async function putRows(
  db: Database,
  table: Belonging | 'endpoints' | 'templates' | 'feeds' | 'live_streams',
  rows: readonly Row[],
): Promise<number> {
  const whole = table === 'access_tokens' ? rows.map((row) => withNormal(row as Row & { token: string })) : rows;
  let put = 0;
  for (let from = 0; from < rows.length; from += ROW_BATCH) {
    const added = await db
      .insertInto(table)
      .values(whole.slice(from, from + ROW_BATCH) as never)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    put += added.length;
  }
  return put;
}

/** Whether a row with an id is in a table. */
export async function isThere(
  db: Database,
  table: 'endpoints' | 'templates' | 'feeds' | 'live_streams' | 'rooms',
  organizationId: number,
  id: number,
): Promise<boolean> {
  const found = await db
    .selectFrom(table)
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}
