import { ApiError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

const byHost = prepared((db, host: string) =>
  db
    .selectFrom('organizations')
    .select(['id', 'host'])
    .where((where) => where.or([where('host', '=', host), where('host', 'is', null)]))
    .orderBy('id'),
);

/**
 * The organization that a host name stands for: the one that has it, otherwise the one without a host of its own.
 * @param host host name without port
 * @throws ApiError not_found when the installation has neither
 */
export async function organizationOf(db: Database, host: string): Promise<number> {
  const rows = await byHost(db, host.toLowerCase());
  const found = rows.find((row) => row.host !== null) ?? rows[0];
  if (!found) throw new ApiError('not_found');
  return found.id;
}
