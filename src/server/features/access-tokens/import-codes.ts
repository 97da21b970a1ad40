import type { ImportMode, ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { mixesAlphabets } from '../../../contract/token-text.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import type { CodeFile, CodeLine, Codes } from '../../core/files/inspect/codes/code-line.ts';
import { countLive, findByNormal, hasOldForms, type NewCodes, tellPlanner } from './access-tokens-repository.ts';
import { MAX_NAMED_LINES } from './added-codes.ts';
import { copyCodes } from './copy-codes.ts';
import { CodeLooks, guessableWarning } from './guessable.ts';
import { addPlain, inPieces } from './insert-codes.ts';
import { addWithFields } from './insert-fields.ts';

/** Codes from which on PostgreSQL is told how many there are now. */
const COPY_THRESHOLD = 10_000;
/** Lines with letters of several alphabets that are named. */
const MAX_MIXED_LINES = 10;

/** Warns of tokens that mix alphabets. @param lines of the first of them */
function mixedWarnings(count: number, lines: readonly number[]): string[] {
  if (count === 0) return [];
  const where = `${count === 1 ? 'Line' : 'Lines'} ${lines.join(', ')}${count > lines.length ? ' and more' : ''}`;
  return [
    `${where}: Latin letters are mixed with Cyrillic or Greek ones that may look the same. Visitors who type the letters that they see are refused. Check these tokens.`,
  ];
}

/** Codes that the structure has in another form than the normal one, as it has them: they are there already. */
async function asStored(db: Database, { endpointId }: NewCodes, part: CodeLine[]): Promise<CodeLine[]> {
  const stored = await findByNormal(
    db,
    endpointId,
    part.map(({ code }) => code),
  );
  return stored.size === 0 ? part : part.map((line) => ({ ...line, code: stored.get(line.code) ?? line.code }));
}

/**
 * Adds the codes of a file to a structure, within the caller's transaction. Those that it has already take over the times that
 * the file gives, begin anew with `replace`, or are refused with `create`. The file is on disk, and no list of its codes in memory.
 * @param prune whether codes that the file does not name go
 * @returns what was added, what was there, and a warning when the codes can be guessed
 * @throws ApiError invalid with `create`, naming the lines whose code is there
 */
export async function importCodes(
  db: Database,
  target: NewCodes,
  file: CodeFile,
  { mode, prune }: { mode: ImportMode; prune: boolean } = { mode: 'upsert', prune: false },
): Promise<ImportReport> {
  let looks = new CodeLooks();
  let normalized = 0;
  let normalizedLines: number[] = [];
  let mixed = 0;
  let mixedLines: number[] = [];
  const isOld = await hasOldForms(db, target.endpointId);
  const codes: Codes = async function* () {
    looks = new CodeLooks();
    normalized = 0;
    normalizedLines = [];
    mixed = 0;
    mixedLines = [];
    for await (const part of file.parts()) {
      looks.learn(part);
      const mixing = part.filter(({ code }) => mixesAlphabets(code));
      mixed += mixing.length;
      mixedLines.push(...mixing.slice(0, MAX_MIXED_LINES - mixedLines.length).map(({ line }) => line));
      const changed = part.filter(({ isNormalized }) => isNormalized);
      normalized += changed.length;
      normalizedLines.push(...changed.slice(0, MAX_NAMED_LINES - normalizedLines.length).map(({ line }) => line));
      yield isOld ? await asStored(db, target, part) : part;
    }
  };
  // While codes are copied, nothing else can be asked on the same connection.
  const addCodes = file.hasFields ? inPieces(addWithFields) : isPostgres(db) && !isOld ? copyCodes : inPieces(addPlain);
  const options = { renew: mode === 'replace', prune };
  const { accepted, duplicates, duplicateLines, updated, removed } = await addCodes(db, target, codes, options);
  if (mode === 'create' && duplicates > 0)
    throw new ApiError('invalid', {
      access_tokens_file: duplicateLines.map(
        (line) => `Line ${line}: This token is there already, or twice in the file.`,
      ),
    });
  if (accepted >= COPY_THRESHOLD) await tellPlanner(db);
  const live = await countLive(db, target.endpointId, target.at);
  const perCode = looks.possibilities() / Math.max(1, live);
  const warning = guessableWarning(perCode);
  return {
    job: null,
    accepted,
    duplicates,
    updated,
    removed,
    duplicate_lines: duplicateLines,
    normalized,
    normalized_lines: normalizedLines,
    table: file.table,
    possibilities_per_code: perCode,
    warnings: [...(warning === null ? [] : [warning]), ...mixedWarnings(mixed, mixedLines)],
  };
}

/** What the change log says of an import: numbers, never the codes. */
export const countsOf = (report: ImportReport | undefined) =>
  report && {
    imported: {
      accepted: report.accepted,
      duplicates: report.duplicates,
      ...(report.updated > 0 && { updated: report.updated }),
      ...(report.removed > 0 && { removed: report.removed }),
    },
  };
