import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Offer } from '../../ui/notifications.ts';
import type { Theirs } from './conflict.ts';
import type { SaveQueue } from './save-queue.ts';
import { fieldsOf, thingOf, type Waiting } from './waiting.ts';

const countOf = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

/** What is said beside the sign of saving. */
export function textOf({ state, waiting, hasFailed, isStuck }: SaveQueue): string {
  if (state === 'read-only') return waiting === 0 ? 'Read only' : `Read only, ${countOf(waiting)} not saved`;
  if (waiting === 0) return 'Saved';
  if (state === 'signed-out') return `Signed out, ${countOf(waiting)} waiting`;
  if (isStuck) return `${countOf(waiting)} waiting for your decision`;
  return hasFailed ? `Offline, ${countOf(waiting)} waiting` : 'Saving';
}

/** Fields that hold prose. */
const PROSE = /(?:^|\.)(?:name|title|sub_title|text|body|description|caption|label|alt|html)$/;
const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The words of a text that may be HTML, for a clipboard that takes words alone. */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/<br[^>]*>|<\/(?:p|li|h\d|blockquote)>/gi, '\n')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, sign: string) => SIGNS[sign]!)
    .trim();

/** Texts that were typed and have not arrived, one below the other. */
function unsentText(edits: readonly Waiting[], typed: Iterable<ByPath>): string {
  const texts = new Map<string, unknown>();
  for (const { command } of edits)
    for (const [path, value] of Object.entries(fieldsOf(command)))
      if (PROSE.test(path)) texts.set(`${thingOf(command)} ${path}`, value);
  const waiting = [...typed].flatMap((fields) => Object.values(fields));
  const all = [...texts.values(), ...waiting].filter((value) => typeof value === 'string');
  return all
    .map(wordsOf)
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * What is said when the server no longer lets a person change a space. What was typed and has not arrived can be copied.
 * @param typed fields that are not edits yet
 */
export function forbiddenNotification(
  status: number,
  { edits, waiting }: SaveQueue,
  typed: Iterable<ByPath>,
): [text: string, offer?: Offer] {
  const why = status === 404 ? 'This space was removed.' : 'You can no longer edit this space.';
  const text = unsentText(edits, typed);
  if (text !== '') {
    const act = () => void navigator.clipboard.writeText(text);
    return [`${why} Your unsent text is kept.`, { label: 'Copy', stays: true, act }];
  }
  return [waiting > 0 ? `${why} ${countOf(waiting)} could not be saved; this browser keeps what you did.` : why];
}

/** What is said when something was done elsewhere that shows here now. */
export const newsText = (theirs: readonly Theirs[]): string =>
  theirs.every(({ isOwn, commands }) => isOwn || commands.length === 0)
    ? 'You changed this space in another window; what you did there is shown.'
    : 'Somebody else changed this space; what they did is shown.';
