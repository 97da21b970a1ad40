import { randomUUID } from 'node:crypto';
import { labelOf } from '../../engine/document/field-labels.ts';
import { findTexts, MAX_FIND, replaceTexts } from '../../engine/document/texts.ts';
import { findElement } from '../../engine/document/tree.ts';
import type { Client } from '../../src/contract/client.ts';
import { sendCommands } from '../../src/contract/hanging.ts';
import { EXIT, usageError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { readDocument } from './read-document.ts';
import { asRoom } from './room-argument.ts';

export interface ReplaceOptions {
  matchCase: boolean;
  wholeWords: boolean;
  json: boolean;
}

/** Replaces a text in a room, or prints where it is found. @returns whether anything is found */
export async function replaceInRoom(
  client: Client,
  {
    id: roomId,
    find,
    replacement,
    options: { matchCase, wholeWords, json },
    isTried,
  }: { id: number; find: string; replacement: string; options: ReplaceOptions; isTried: boolean },
): Promise<boolean> {
  if (find.trim() === '' || find.length > MAX_FIND || replacement.length > MAX_FIND)
    throw usageError('The text to find or its replacement has the wrong length.', `Use 1 to ${MAX_FIND} characters.`);
  const room = asRoom(await readDocument(client, roomId), String(roomId));
  const query = { text: find, matchCase, wholeWords };
  const found = findTexts(room, query);
  const { commands, count, refused } = replaceTexts(room, query, replacement);
  const placeOf = ({ id, path }: { id: number | null; path: string }) => {
    const element = id === null ? undefined : findElement(room.elements, id);
    return `${element ? `${element.name || element.element} (${element.id})` : 'room'}, ${labelOf(path)}`;
  };
  if (!isTried && commands.length > 0)
    await sendCommands(client, { roomId, name: `replace ${randomUUID()}`, count: 0 }, () => commands);
  const lines = [
    `${isTried ? 'Would replace' : 'Replaced'} ${count} ${count === 1 ? 'match' : 'matches'}`,
    ...found.map((text) => `  ${placeOf(text)}: ${text.before}${text.match}${text.after}`.replaceAll('\n', ' ')),
    ...refused.map((text) => `  not replaced: ${placeOf(text)}: ${text.message}`),
    '',
  ];
  process.stdout.write(json ? jsonText({ count, found, refused }) : lines.join('\n'));
  if (refused.length > 0) process.exitCode = EXIT.wrong;
  return commands.length > 0;
}
