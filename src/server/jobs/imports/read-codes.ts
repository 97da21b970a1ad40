import type { CodeFile } from '../../storage/inspect/codes/code-line.ts';
import { codesIn, codesInDocument, MOST_TABLE_BYTES } from '../../storage/inspect/codes/codes-in-file.ts';
import { CODES_FIELD } from '../../storage/inspect/codes/refuse-codes.ts';
import type { Upload } from '../../storage/upload.ts';
import type { Services } from '../../store/services.ts';

/** Largest JSON document in bytes. */
const MOST_DOCUMENT_BYTES = 400 * 1024 * 1024;

/**
 * Takes a file of codes and has a worker check it as a whole: UTF-8 with or without byte order mark, codes in the first column,
 * without a heading; empty lines are skipped. It is on disk meanwhile, however large it is.
 * @param mayHaveTimes whether it may also be JSON, as the export has it
 * @returns undefined when no file was chosen: browsers send an empty one without a name then
 * @throws ApiError naming the lines that hold no code; nothing of such a file is used
 */
export async function readCodes(
  { media, workers }: Pick<Services, 'media' | 'workers'>,
  upload: Upload,
  { mayHaveTimes = false } = {},
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
    const { hasTimes, isQuoted } = await workers.run('checkCodes', { file, bytes, mayHaveTimes });
    const parts = () => (hasTimes ? codesInDocument(file) : codesIn(file, isQuoted));
    return { parts, hasTimes, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
