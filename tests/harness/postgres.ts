import pg from 'pg';

/** Where the tests look when they are not told. */
const USUAL = 'postgres://postgres@127.0.0.1:5432/test';

/** The PostgreSQL that the tests use: `TEST_DATABASE_URL`, or the usual place; null where none answers. */
export async function findPostgres(): Promise<string | null> {
  const url = process.env.TEST_DATABASE_URL ?? USUAL;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
