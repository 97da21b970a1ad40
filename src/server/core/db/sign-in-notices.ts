import pg from 'pg';
import type { TableChanges } from './table-changes.ts';

/** PostgreSQL channel for changes of users, sessions and keys. */
export const SIGN_IN_CHANNEL = 'enfilade_sign_ins';

/** Milliseconds between reconnection attempts. */
const LISTEN_RETRY = 1000;

/**
 * Counts changes made by other processes, as notified by PostgreSQL. Notifications are lost while the connection is
 * down, so caches are cleared when it breaks and when it is back.
 * @param url database URL
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
