import type { ImportTable } from '../../../contract/entities.ts';
import type { CodeFile } from '../../core/files/inspect/codes/code-line.ts';
import { codesIn, codesInDocument, MOST_TABLE_BYTES } from '../../core/files/inspect/codes/codes-in-file.ts';
import { CODES_FIELD } from '../../core/files/inspect/codes/refuse-codes.ts';
import { type TableChoice, unclearTable } from '../../core/files/inspect/codes/table-plan.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { Services } from '../../core/services.ts';

/** Largest JSON document in bytes. */
const MOST_DOCUMENT_BYTES = 400 * 1024 * 1024;

/**
 * Takes a file of codes and has a worker check it as a whole: UTF-8 with or without byte order mark; empty lines are skipped.
 * It is on disk meanwhile, however large it is.
 * @param mayHaveTimes whether it may also be JSON, as the export has it
 * @param choice how a table is read, as far as that was said
 * @returns undefined when no file was chosen: browsers send an empty one without a name then
 * @throws ApiError naming the lines that hold no code, or unclear_table; nothing of such a file is used
 */
export async function readCodes(
  { media, workers }: Pick<Services, 'media' | 'workers'>,
  upload: Upload,
  { mayHaveTimes = false, choice }: { mayHaveTimes?: boolean; choice?: TableChoice } = {},
): Promise<CodeFile | undefined> {
  const most = mayHaveTimes ? MOST_DOCUMENT_BYTES : MOST_TABLE_BYTES;
  const arrival = await media.receive(upload, { field: CODES_FIELD, most, mayBeEmpty: true });
  const { file, bytes } = arrival;
  const discard = () => media.discard(arrival);
  try {
    if (bytes === 0 && upload.name === '') {
      await discard();
      return undefined;
    }
    const { plan, table, isQuoted } = await workers.run('checkCodes', {
      file,
      bytes,
      mayHaveTimes,
      ...(choice && { choice }),
    });
    if (table && !plan) throw unclearTable(table);
    const parts = () => (plan ? codesIn(file, isQuoted, plan) : codesInDocument(file));
    const hasFields = !plan || plan.name.length > 0 || plan.email !== null;
    return { parts, hasFields, table, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Largest beginning of a file in bytes of which only the first rows are looked at. */
const MOST_HEAD_BYTES = 1024 * 1024;

/**
 * The first rows of a file of codes, or of its beginning, and how it would be read.
 * @returns null for JSON
 * @throws ApiError where it is no table
 */
export async function readFirstRows(
  { media, workers }: Pick<Services, 'media' | 'workers'>,
  upload: Upload,
): Promise<ImportTable | null> {
  const arrival = await media.receive(upload, { field: CODES_FIELD, most: MOST_HEAD_BYTES, mayBeEmpty: true });
  const { file, bytes } = arrival;
  try {
    return (await workers.run('checkCodes', { file, bytes, mayHaveTimes: true, isHeadOnly: true })).table;
  } finally {
    await media.discard(arrival);
  }
}
