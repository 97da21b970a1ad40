import type { ImportReport } from '../../contract/entities.ts';
import type { Database } from '../db/database.ts';
import { countLive, insertCodes, type NewCodes } from './access-tokens-repository.ts';
import { guessableWarning, possibilities } from './guessable.ts';
import type { CodeFile } from './read-codes.ts';

/** Codes that one statement adds. */
const CHUNK = 10_000;
/** Duplicates that are named by their line. */
const NAMED = 100;

/**
 * Adds the codes of a file to a structure, within the caller's transaction. Those that it has already stay as they are.
 * @returns what was added, what was there, and a warning when the codes can be guessed
 */
export async function importCodes(
  db: Database,
  target: NewCodes,
  { codes, repeated }: CodeFile,
): Promise<ImportReport> {
  const all = [...codes.keys()];
  const added = new Set<string>();
  for (let start = 0; start < all.length; start += CHUNK)
    for (const code of await insertCodes(db, target, all.slice(start, start + CHUNK))) added.add(code);
  const existing = all.filter((code) => !added.has(code)).map((code) => codes.get(code)!);
  const duplicates = [...existing, ...repeated].toSorted((a, b) => a - b);
  const live = await countLive(db, target.endpointId, target.at);
  const perCode = possibilities(all) / Math.max(1, live);
  const warning = guessableWarning(perCode);
  return {
    accepted: added.size,
    duplicates: duplicates.length,
    duplicate_lines: duplicates.slice(0, NAMED),
    possibilities_per_code: perCode,
    warnings: warning === null ? [] : [warning],
  };
}
