import type { FastifyInstance } from 'fastify';
import { isPostgres, tokenIndexOf } from '../../core/db/database.ts';
import { indexWaitingTokens, installTokenSearch } from '../../core/db/token-search/token-search.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import { findLastTokenId } from './queries.ts';
import { MAX_UNINDEXED } from './search-tokens.ts';

/** Milliseconds between checks for new tokens. */
const EVERY = 3000;

/**
 * Adds new tokens to the substring search index.
 * @returns false if the PostgreSQL extension is missing
 */
export async function indexTokens({ db }: Pick<Services, 'db'>): Promise<boolean> {
  if (isPostgres(db)) {
    if (!(await installTokenSearch(db))) return false;
    while (await indexWaitingTokens(db));
    return true;
  }
  const index = tokenIndexOf(db)!;
  // A search scans the few unindexed tokens; a thread for each would cost more.
  if ((await findLastTokenId(db)) - index.lastId() > MAX_UNINDEXED) await index.build();
  return true;
}

/** Keeps the token search index up to date. */
export function keepTokenSearch(app: FastifyInstance, services: Services): void {
  // Without the extension, the next start retries.
  let isAvailable = true;
  const run = async (stopping: AbortSignal) => {
    if (!isAvailable) return;
    const close = () => void tokenIndexOf(services.db)?.close();
    stopping.addEventListener('abort', close, { once: true });
    try {
      isAvailable = await indexTokens(services);
    } finally {
      stopping.removeEventListener('abort', close);
    }
  };
  repeat(app, [{ name: 'index access tokens', every: EVERY, first: 'after', run }], async () =>
    tokenIndexOf(services.db)?.close(),
  );
}
