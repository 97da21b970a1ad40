import { sql } from 'kysely';
import type { Database } from '../../core/db/database.ts';
import { listOf } from './queries.ts';

/** Holder fields in stored token rows. */
interface Held {
  holder_name?: unknown;
  holder_email?: unknown;
}

/** A copy of a value without the holders who have one of these addresses; the same value if there are none. */
function withoutHolders(value: unknown, emails: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutHolders(entry, emails));
  if (typeof value !== 'object' || value === null) return value;
  const { holder_email } = value as Held;
  const left =
    typeof holder_email === 'string' && emails.has(holder_email)
      ? { holder_name: null, holder_email: null, note: null }
      : {};
  const entries = Object.entries(value).map(([name, entry]) => [name, withoutHolders(entry, emails)]);
  return { ...Object.fromEntries(entries), ...left };
}

/** Erases holders from recorded rows. @returns the number of changed records */
async function eraseFromRecords(db: Database, organizationId: number, emails: readonly string[]): Promise<number> {
  let count = 0;
  const known = new Set(emails);
  for (const email of emails) {
    const named = `%${JSON.stringify(email).replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await db
      .selectFrom('change_rows')
      .select(['id', 'content'])
      .where('organization_id', '=', organizationId)
      .where(sql<boolean>`content like ${named} escape '\\'`)
      .execute();
    for (const { id, content } of rows) {
      const left = JSON.stringify(withoutHolders(JSON.parse(content), known));
      if (left === content) continue;
      await db.updateTable('change_rows').set({ content: left }).where('id', '=', id).execute();
      count++;
    }
  }
  return count;
}

/**
 * Removes a person's name and address, and the note about them, from access tokens, including removed tokens and those recorded by imports. The
 * tokens stay.
 * @returns the numbers of changed tokens and of changed records
 */
export async function eraseHolder(
  db: Database,
  organizationId: number,
  emails: readonly string[],
  at: string,
): Promise<{ tokens: number; records: number }> {
  const list = sql<string>`(select value from ${listOf(db, emails)})`;
  const { numUpdatedRows } = await db
    .updateTable('access_tokens')
    .set({ holder_name: null, holder_email: null, note: null, updated_at: at })
    .where('endpoint_id', 'in', (query) =>
      query.selectFrom('endpoints').select('endpoints.id').where('endpoints.organization_id', '=', organizationId),
    )
    .where('holder_email', 'in', list)
    .executeTakeFirstOrThrow();
  const records = await eraseFromRecords(db, organizationId, emails);
  return { tokens: Number(numUpdatedRows), records };
}
