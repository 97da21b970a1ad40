import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { type NewRecord, type Row, recordedRow } from '../../core/changes/records.ts';
import type { StoredToken } from '../access-tokens/access-tokens-repository.ts';
import { tokenRowsOf } from '../access-tokens/token-rows-repository.ts';
import type { StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { keepForBin } from '../posters/poster-files.ts';

/** The record of rows that go together. */
const removedRows = (kind: string, { id, name = '' }: { id: number; name?: string }, rows: object[]): NewRecord => ({
  kind,
  action: 'delete',
  entity_id: id,
  name,
  content: { rows: rows.map(recordedRow) },
});

/** The posters of a thing. Their images are stored as long as the thing can be restored. */
async function* removedPosters(
  db: Database,
  clock: Clock,
  subject: 'endpoint_id' | 'template_id',
  id: number,
): AsyncGenerator<NewRecord> {
  const posters = await db.selectFrom('posters').selectAll().where(subject, '=', id).orderBy('id').execute();
  for (const { file_id } of posters) if (file_id !== null) await keepForBin(db, clock, file_id);
  if (posters.length > 0) yield removedRows('posters', { id }, posters);
}

/** Access tokens that one record has. */
const TOKENS_PER_RECORD = 500;

/**
 * Records of access tokens that are removed.
 * @param kind `access_tokens` for those that are restored by themselves, `endpoint_tokens` for a job's of one structure
 */
export function* removedTokens(
  kind: 'access_tokens' | 'endpoint_tokens',
  about: { id: number; name?: string },
  tokens: readonly StoredToken[],
): Generator<NewRecord> {
  for (let start = 0; start < tokens.length; start += TOKENS_PER_RECORD)
    yield removedRows(kind, about, tokens.slice(start, start + TOKENS_PER_RECORD));
}

/** Records of a template that is removed, with its poster. */
export async function* removedTemplate(
  db: Database,
  clock: Clock,
  template: { id: number; name: string },
): AsyncGenerator<NewRecord> {
  yield* removedPosters(db, clock, 'template_id', template.id);
  yield removedRows('templates', template, [template]);
}

/**
 * Records of structures that are removed together, with their posters, the addresses that they had and their access tokens,
 * of any number. To be read before the structures are deleted.
 * @param endpoints those below others behind them
 */
export async function* removedEndpoints(
  db: Database,
  clock: Clock,
  endpoints: readonly StoredEndpoint[],
): AsyncGenerator<NewRecord> {
  for (const { id, name } of endpoints) {
    yield* removedPosters(db, clock, 'endpoint_id', id);
    const query = db.selectFrom('endpoint_addresses').selectAll().where('endpoint_id', '=', id).orderBy('id');
    const addresses = await query.execute();
    if (addresses.length > 0) yield removedRows('endpoint_addresses', { id }, addresses);
    for await (const tokens of tokenRowsOf(db, id)) yield* removedTokens('access_tokens', { id, name }, tokens);
  }
  const rows = endpoints.map(({ room_name: _name, room_title: _title, ...columns }): Row => columns);
  yield removedRows('endpoints', endpoints[0]!, rows);
}

/** Records of a feed that is removed, with its items. What connects it to Instagram is not recorded. */
export async function* removedFeed(db: Database, feed: { id: number; name: string }): AsyncGenerator<NewRecord> {
  const items = await db.selectFrom('feed_items').selectAll().where('feed_id', '=', feed.id).orderBy('id').execute();
  if (items.length > 0) yield removedRows('feed_items', feed, items);
  yield removedRows('feeds', feed, [feed]);
}
