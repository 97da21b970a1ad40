import type { FastifyInstance } from 'fastify';
import { isPostgres, tokenIndexOf } from '../../core/db/database.ts';
import { indexWaitingTokens, installTokenSearch } from '../../core/db/token-search/token-search.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import { findLastTokenId } from './queries.ts';
import { MAX_UNINDEXED } from './search-tokens.ts';

/** Milliseconds between looking for tokens that were added. */
const EVERY = 3000;

/**
 * Adds new tokens to what finds them by any part of them.
 * @returns false where PostgreSQL lacks its extension
 */
export async function indexTokens({ db }: Pick<Services, 'db'>): Promise<boolean> {
  if (isPostgres(db)) {
    if (!(await installTokenSearch(db))) return false;
    while (await indexWaitingTokens(db));
    return true;
  }
  const index = tokenIndexOf(db)!;
  // A few are looked at one by one; a thread for each would cost more.
  if ((await findLastTokenId(db)) - index.lastId() > MAX_UNINDEXED) await index.build();
  return true;
}

/** Keeps the token search index up to date. */
export function keepTokenSearch(app: FastifyInstance, services: Services): void {
  // Without the extension, the next start tries again.
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
  repeat(app, [{ every: EVERY, first: 'after', run }], async () => tokenIndexOf(services.db)?.close());
}
