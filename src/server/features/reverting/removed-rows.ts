import { type NewRecord, recordedRow } from '../../core/changes/records.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
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

/** Records of the posters of a thing that is removed. Their images are stored as long as the thing can be restored. */
export async function* removedPosters(
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

/**
 * Records of what goes with a structure that is removed: posters, the addresses that it had, access tokens of any number, and
 * the structures below it. To be read before it is deleted.
 */
export async function* removedWithEndpoint(
  db: Database,
  clock: Clock,
  { id, name }: { id: number; name: string },
  below: readonly StoredEndpoint[] = [],
): AsyncGenerator<NewRecord> {
  for (const child of below) {
    yield* removedWithEndpoint(db, clock, child);
    const { room_name: _name, room_title: _title, ...row } = child;
    yield removedRows('endpoints', child, [row]);
  }
  yield* removedPosters(db, clock, 'endpoint_id', id);
  const query = db.selectFrom('endpoint_addresses').selectAll().where('endpoint_id', '=', id).orderBy('id');
  const addresses = await query.execute();
  if (addresses.length > 0) yield removedRows('endpoint_addresses', { id }, addresses);
  for await (const tokens of tokenRowsOf(db, id)) yield* removedTokens('access_tokens', { id, name }, tokens);
}

/** Records of the items of a feed that is removed. */
export async function* removedFeed(db: Database, feed: { id: number; name: string }): AsyncGenerator<NewRecord> {
  const items = await db.selectFrom('feed_items').selectAll().where('feed_id', '=', feed.id).orderBy('id').execute();
  if (items.length > 0) yield removedRows('feed_items', feed, items);
}
