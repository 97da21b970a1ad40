import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';

const derive = promisify(pbkdf2);

/** Iterations of PBKDF2: a phone needs 100 to 200 ms for the one token it looks up, and a guesser as long for each guess. */
export const KEY_ITERATIONS = 100_000;
/** Length of a key in bytes. */
const KEY_BYTES = 16;

/** Keys of one link's access tokens. */
interface LinkKeys {
  /** Keys by token. */
  keys: Map<string, string>;
  isDeriving: boolean;
}

/** Keys by salt, for the links in use. They depend on the salt and the tokens only, so they never become stale. */
const links = new LRUCache<string, LinkKeys>({ max: 50 });

/** One derivation at a time leaves libuv's other threads to files and other requests. */
const turns = new Semaphore(1);

/** The keys of tokens that have been derived with a link's salt. Evicts those of other tokens. */
export function derivedKeys(salt: string, tokens: readonly string[]): ReadonlyMap<string, string> {
  const known = links.get(salt);
  const keys = new Map<string, string>();
  for (const token of tokens) {
    const key = known?.keys.get(token);
    if (key !== undefined) keys.set(token, key);
  }
  if (known) known.keys = keys;
  else links.set(salt, { keys, isDeriving: false });
  return keys;
}

/** Derives the missing keys of a link, unless that is under way; ends early if its keys are evicted. */
export async function deriveKeys(salt: string, tokens: readonly string[], isStopping: () => boolean): Promise<void> {
  const link = links.get(salt);
  if (!link || link.isDeriving) return;
  link.isDeriving = true;
  try {
    for (const token of tokens) {
      if (isStopping() || links.peek(salt) !== link) return;
      if (link.keys.has(token)) continue;
      const key = await turns.runExclusive(() => derive(token, salt, KEY_ITERATIONS, KEY_BYTES, 'sha256'));
      link.keys.set(token, key.toString('hex'));
    }
  } finally {
    link.isDeriving = false;
  }
}

/** Evicts the keys of a revoked link. */
export const evictKeys = (salt: string): void => void links.delete(salt);
