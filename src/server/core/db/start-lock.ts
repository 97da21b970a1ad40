import pg from 'pg';

/** Names the lock among the advisory locks of the database: "enfilade" as a number. */
const START_LOCK = 0x656e66;

/**
 * Does what one server may do at a time when several start on the same PostgreSQL: the others wait. The lock has a
 * connection of its own, and goes with it if the process dies. SQLite belongs to one process and needs none.
 */
export async function withStartLock<T>(url: string | undefined, work: () => Promise<T>): Promise<T> {
  if (!url) return work();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [START_LOCK]);
    return await work();
  } finally {
    await client.end();
  }
}
