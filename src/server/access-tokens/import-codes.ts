import type { ImportMode, ImportReport } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import {
  codesOf,
  countLive,
  deleteCodes,
  insertCodes,
  type NewCodes,
  renewCodes,
  tellPlanner,
} from './access-tokens-repository.ts';
import { CodeLooks, guessableWarning } from './guessable.ts';
import type { CodeFile, CodeLine } from './read-codes.ts';

/** Codes that one statement adds. */
const CHUNK = 10_000;
/** Duplicates that are named by their line. */
const NAMED = 100;

/** Codes in pieces of the size that one statement takes. */
async function* chunksOf({ parts }: CodeFile): AsyncGenerator<CodeLine[]> {
  let held: CodeLine[] = [];
  for await (const part of parts()) {
    for (const line of part) {
      held.push(line);
      if (held.length < CHUNK) continue;
      yield held;
      held = [];
    }
  }
  if (held.length > 0) yield held;
}

/** Lines of a piece whose code was not added: it is there already, or stands further up. */
function repeatedLines(lines: readonly CodeLine[], added: readonly string[]): number[] {
  if (added.length === lines.length) return [];
  const fresh = new Set(added);
  // The first line of a new code takes it away, so that the next one is a repetition.
  return lines.filter(({ code }) => !fresh.delete(code)).map(({ line }) => line);
}

/** Removes the codes of a structure that are not among these. Gives how many there were. */
async function removeOthers(db: Database, { endpointId }: NewCodes, kept: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for await (const codes of codesOf(db, endpointId)) {
    const others = codes.filter((code) => !kept.has(code));
    if (others.length > 0) await deleteCodes(db, endpointId, others);
    removed += others.length;
  }
  return removed;
}

/**
 * Adds the codes of a file to a structure, within the caller's transaction. Those that it has already stay as they are,
 * begin anew with `replace`, or are refused with `create`.
 * @param prune whether codes that the file does not name go; the file's codes are held in memory then
 * @returns what was added, what was there, and a warning when the codes can be guessed
 * @throws ApiError invalid with `create`, naming the lines whose code is there
 */
export async function importCodes(
  db: Database,
  target: NewCodes,
  file: CodeFile,
  { mode, prune }: { mode: ImportMode; prune: boolean } = { mode: 'upsert', prune: false },
): Promise<ImportReport> {
  const kept = new Set<string>();
  const looks = new CodeLooks();
  const named: number[] = [];
  let accepted = 0;
  let duplicates = 0;
  for await (const lines of chunksOf(file)) {
    const codes = [...new Set(lines.map(({ code }) => code))];
    for (const code of codes) looks.add(code);
    if (prune) for (const code of codes) kept.add(code);
    const added = await insertCodes(db, target, codes);
    const repeated = repeatedLines(lines, added);
    if (mode === 'replace' && added.length < codes.length) await renewCodes(db, target, codes);
    accepted += added.length;
    duplicates += repeated.length;
    if (named.length < NAMED) named.push(...repeated.slice(0, NAMED - named.length));
  }
  if (mode === 'create' && duplicates > 0)
    throw new ApiError('invalid', {
      access_tokens_file: named.map((line) => `Line ${line}: This code is there already, or twice in the file.`),
    });
  if (accepted >= CHUNK) await tellPlanner(db);
  const removed = prune ? await removeOthers(db, target, kept) : 0;
  const live = await countLive(db, target.endpointId, target.at);
  const perCode = looks.possibilities() / Math.max(1, live);
  const warning = guessableWarning(perCode);
  return {
    accepted,
    duplicates,
    removed,
    duplicate_lines: named,
    possibilities_per_code: perCode,
    warnings: warning === null ? [] : [warning],
  };
}

/** What the change log says of an import: numbers, never the codes. */
export const countsOf = (report: ImportReport | undefined) =>
  report && {
    imported: {
      accepted: report.accepted,
      duplicates: report.duplicates,
      ...(report.removed > 0 && { removed: report.removed }),
    },
  };
