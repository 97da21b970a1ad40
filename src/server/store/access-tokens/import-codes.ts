import type { ImportMode, ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Database, isPostgres } from '../../base/db/database.ts';
import type { CodeFile, Codes } from '../../storage/inspect/codes/code-line.ts';
import { countLive, type NewCodes, tellPlanner } from './access-tokens-repository.ts';
import { copyCodes } from './copy-codes.ts';
import { CodeLooks, guessableWarning } from './guessable.ts';
import { addPlain, inPieces } from './insert-codes.ts';
import { addTimed } from './insert-times.ts';

/** Codes from which on PostgreSQL is told how many there are now. */
const COPY_THRESHOLD = 10_000;

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
  const codes: Codes = async function* () {
    looks = new CodeLooks();
    for await (const part of file.parts()) {
      looks.learn(part);
      yield part;
    }
  };
  const addCodes = file.hasTimes ? inPieces(addTimed) : isPostgres(db) ? copyCodes : inPieces(addPlain);
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
      ...(report.updated > 0 && { updated: report.updated }),
      ...(report.removed > 0 && { removed: report.removed }),
    },
  };
