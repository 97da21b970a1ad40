import { randomInt } from 'node:crypto';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { TOKEN_ALPHABET } from '../../core/secrets/token.ts';
import { countLive, insertCodes, type NewCodes } from './access-tokens-repository.ts';
import { ENOUGH } from './guessable.ts';

/** Tries after which the codes that are left are taken for too few. */
const MOST_TRIES = 20;

/** How codes are made up. */
export interface CodeForm {
  count: number;
  prefix: string;
  /** Signs behind the prefix. */
  length: number;
}

const createCode = (length: number) =>
  Array.from({ length }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join('');

/**
 * Refuses codes that are so short that one of them could be guessed.
 * @throws ApiError invalid, naming `length`
 */
async function refuseGuessable(db: Database, { endpointId, at }: NewCodes, { count, length }: CodeForm): Promise<void> {
  const valid = (await countLive(db, endpointId, at)) + count;
  if (TOKEN_ALPHABET.length ** length / valid >= ENOUGH) return;
  const enough = Math.ceil(Math.log(ENOUGH * valid) / Math.log(TOKEN_ALPHABET.length));
  throw new ApiError('invalid', { length: [`So many tokens of this length can be guessed. Use at least ${enough}.`] });
}

/**
 * Adds made-up codes to a structure, within the caller's transaction. A code that it has already is made up again.
 * @returns one of them
 * @throws ApiError invalid when they would be too easy to guess
 */
export async function createCodes(db: Database, target: NewCodes, form: CodeForm): Promise<string> {
  await refuseGuessable(db, target, form);
  let missing = form.count;
  let one = '';
  for (let tries = 0; missing > 0; tries++) {
    if (tries === MOST_TRIES) throw new ApiError('invalid', { length: ['Too few tokens are left. Use longer ones.'] });
    const codes = new Set<string>();
    while (codes.size < missing) codes.add(form.prefix + createCode(form.length));
    const added = await insertCodes(db, target, [...codes]);
    missing -= added.length;
    one = added[0] ?? one;
  }
  return one;
}
