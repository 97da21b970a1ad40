import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { removedTokens, tokenRowsOf } from '../access-tokens/queries.ts';
import type { StoredEndpoint } from '../endpoints/queries.ts';
import { removedPosters } from '../posters/poster-files.ts';

/**
 * Records of a removed structure's dependents: posters, previous addresses, access tokens and child
 * structures. Read them before the deletion.
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
