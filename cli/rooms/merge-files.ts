import { stat } from 'node:fs/promises';
import { isRecord } from '../../engine/document/field-paths.ts';
import { type Merged, mergeDocuments } from '../../engine/document/merge-documents.ts';
import { newerVersion } from '../../engine/document/migrations.ts';
import { wrongError } from '../failure.ts';
import { readJson } from '../io/read-file.ts';

async function documentOf(file: string): Promise<Record<string, unknown>> {
  // Git passes an empty base file if both branches added the file.
  if ((await stat(file).catch(() => null))?.size === 0) return {};
  const document = await readJson(file);
  const newer = newerVersion(document);
  if (newer)
    throw wrongError(newer, 'Or export the room again from a server of this version.', [{ file, reason: newer }]);
  if (isRecord(document)) return document;
  throw wrongError(`${file} isn't a room.`, 'Use a JSON object.');
}

/**
 * Merges three document files; the first is the common ancestor.
 * @throws CliError if one of them is no document
 */
export async function mergeFiles(base: string, ours: string, theirs: string): Promise<Merged> {
  return mergeDocuments(await documentOf(base), await documentOf(ours), await documentOf(theirs));
}
