import type { ImportMode, ImportReport } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import { codesOf, countLive, deleteCodes, type NewCodes, renewCodes, tellPlanner } from './access-tokens-repository.ts';
import { createAdder } from './add-codes.ts';
import { CodeLooks, guessableWarning } from './guessable.ts';
import type { CodeFile, CodeLine } from './read-codes.ts';

/** Codes that one statement adds. */
const CHUNK = 10_000;

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
  const adder = createAdder(db, target);
  for await (const lines of chunksOf(file)) {
    const codes = [...new Set(lines.map(({ code }) => code))];
    for (const code of codes) looks.add(code);
    if (prune) for (const code of codes) kept.add(code);
    // Those that it does not have yet are added new anyway.
    if (mode === 'replace') await renewCodes(db, target, codes);
    await adder.add(lines);
  }
  const { accepted, duplicates, duplicateLines } = await adder.end();
  if (mode === 'create' && duplicates > 0)
    throw new ApiError('invalid', {
      access_tokens_file: duplicateLines.map(
        (line) => `Line ${line}: This code is there already, or twice in the file.`,
      ),
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
    duplicate_lines: duplicateLines,
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
