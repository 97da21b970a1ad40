import pg from 'pg';

/** Key of the advisory lock: "enf" in ASCII. */
const START_LOCK = 0x656e66;

/**
 * Serializes startup work of several servers on the same PostgreSQL. The lock has its own connection and is released if
 * the process dies. SQLite belongs to one process and needs none.
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
