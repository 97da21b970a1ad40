import { existsSync } from 'node:fs';
import { DocumentError, parseUntrustedRoom, type Room } from '../../engine/document/room.ts';
import { wrongError } from '../failure.ts';
import { fileNameOf, parseJson, readText, STANDARD_INPUT } from '../io/read-file.ts';
import { findRoom } from './find-room.ts';
import { readDocument } from './read-document.ts';

/** Whether a room argument is a file name. */
export const isFile = (room: string): boolean => room === STANDARD_INPUT || room.endsWith('.json') || existsSync(room);

/** The document from a file, from standard input, or of a room on the server; with its text if it is a file. */
export async function readSource(room: string): Promise<{ document: unknown; text: string | null }> {
  if (isFile(room)) {
    const text = await readText(room);
    return { document: parseJson(text, room), text };
  }
  const { connect } = await import('../connection.ts');
  const { client } = connect();
  return { document: await readDocument(client, await findRoom(client, room)), text: null };
}

/** The document from a file, from standard input, or of a room on the server. */
export const documentOf = async (room: string): Promise<unknown> => (await readSource(room)).document;

/**
 * Parses a document as a room.
 * @throws CliError listing each problem with its path
 */
export function asRoom(document: unknown, name: string): Room {
  try {
    return parseUntrustedRoom(document);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const problems = error.issues.map(({ path, message }) => ({
      file: fileNameOf(name),
      column: path.join('.') || 'document',
      reason: message,
    }));
    throw wrongError(`${fileNameOf(name)} isn't a valid room.`, 'Run enfilade rooms lint for details.', problems);
  }
}
