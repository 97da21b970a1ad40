import pg from 'pg';
import type { TableChanges } from './table-changes.ts';

/** PostgreSQL's channel on which processes tell each other that users, sessions or keys have changed. */
export const SIGN_IN_CHANNEL = 'enfilade_sign_ins';

/** Milliseconds between two attempts to listen again. */
const LISTEN_RETRY = 1000;

/**
 * Counts the changes that other processes make, as PostgreSQL tells of them, until it is stopped. While the connection is
 * away nothing is told: everything is forgotten when it breaks and when it is back.
 * @param url address of the database
 * @returns stops listening
 */
export function listenForSignIns(url: string, changes: TableChanges): () => Promise<void> {
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const retry = () => {
    client = undefined;
    changes.count++;
    if (!stopped && !timer)
      timer = setTimeout(() => {
        timer = undefined;
        void listen();
      }, LISTEN_RETRY).unref();
  };

  async function listen(): Promise<void> {
    const current = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    client = current;
    current.on('notification', () => {
      changes.count++;
    });
    current.on('error', () => {
      if (client === current) retry();
    });
    try {
      await current.connect();
      await current.query(`listen ${SIGN_IN_CHANNEL}`);
      changes.count++;
    } catch {
      await current.end().catch(() => undefined);
      if (client === current) retry();
    }
  }

  void listen();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}
