import { Draft } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { branchOf, findElement, type Spot, spotOf } from '../../../engine/document/tree.ts';
import type { SentCommand } from '../../contract/entities.ts';
import type { Offer } from '../../ui/notifications.ts';
import { asBranch, type Branch, restoreBranch } from '../session/copies.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { isProse, plainText } from '../session/element-words.ts';
import { withWaiting } from '../session/sent-commands.ts';
import type { Theirs } from './conflict.ts';
import type { SaveQueue } from './save-queue.ts';
import { fieldsOf, heldText, thingOf, type Waiting } from './waiting.ts';

/** A number of changes, as text. */
export const countOf = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

/** Text of the saving indicator. */
export function textOf({ state, waiting, hasFailed, isStuck }: SaveQueue): string {
  if (state === 'read-only') return waiting === 0 ? 'Read only' : `Read only, ${countOf(waiting)} not saved`;
  if (waiting === 0) return 'Saved';
  if (state === 'signed-out') return `Signed out, ${countOf(waiting)} waiting`;
  if (isStuck) return `${countOf(waiting)} waiting for your decision`;
  return hasFailed ? `Offline, ${countOf(waiting)} waiting` : 'Saving';
}

/** All unsent texts, one per line. */
function unsentText(edits: readonly Waiting[], typed: Iterable<ByPath>): string {
  const texts = new Map<string, unknown>();
  for (const { command } of edits)
    for (const [path, value] of Object.entries(fieldsOf(command)))
      if (isProse(path)) texts.set(`${thingOf(command)} ${path}`, value);
  const waiting = [...typed].flatMap((fields) => Object.values(fields));
  const all = [...texts.values(), ...waiting].filter((value) => typeof value === 'string');
  return all
    .map(plainText)
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Notification for a user who may no longer change a space, with an offer to copy unsent text.
 * @param typed fields that are not edits yet
 */
export function forbiddenNotification(
  status: number,
  { edits, waiting }: SaveQueue,
  typed: Iterable<ByPath>,
): [text: string, offer?: Offer] {
  const why = status === 404 ? 'This space has been removed.' : 'You can no longer edit this space.';
  const text = unsentText(edits, typed);
  if (text !== '') {
    const act = () => void navigator.clipboard.writeText(text);
    return [`${why} Your unsent text is kept.`, { label: 'Copy', stays: true, act }];
  }
  return [waiting > 0 ? `${why} ${countOf(waiting)} could not be saved; this browser keeps what you did.` : why];
}

/** Notification for edits made elsewhere. */
export const newsText = (theirs: readonly Theirs[]): string =>
  theirs.every(({ isOwn, commands }) => isOwn || commands.length === 0)
    ? 'You changed this space in another window; what you did there is shown.'
    : 'Somebody else changed this space; what they did is shown.';

interface LossOptions {
  confirmed: Room;
  /** The room shown before; undefined if there was none. */
  before: Room | undefined;
  document(): DocumentStore | null;
  notify(text: string, offer?: Offer): void;
}

/** Elements removed by others, with their descendants. */
const removedBy = ({ inverses }: Theirs): Element[] =>
  inverses.flatMap((inverse) => (inverse.type === 'element.add' ? inverse.elements : []));

const restore = (document: DocumentStore | null, branch: Branch, spot: Spot) =>
  document && restoreBranch(document, branch, spot);

/** A room including elements that others removed. */
function withRemoved(room: Room, theirs: readonly Theirs[]): Room {
  const draft = new Draft(room);
  for (const { inverses } of theirs)
    for (const inverse of inverses) {
      if (inverse.type !== 'element.add' || inverse.elements.some(({ id }) => draft.get(id))) continue;
      draft.apply(inverse.parent === null || draft.get(inverse.parent) ? inverse : { ...inverse, parent: null });
    }
  return draft.room;
}

/**
 * Notifies the user of edits that no longer apply, and offers to restore removed elements with these edits.
 * @param theirs others' commands that caused the loss
 */
export function sayLost(
  lost: readonly { command: SentCommand }[],
  theirs: readonly Theirs[],
  { confirmed, before, document, notify }: LossOptions,
): void {
  // Elements that exist were added by an earlier call.
  const isThere = (command: SentCommand) => findElement(confirmed.elements, thingOf(command)!) !== undefined;
  const real = lost.filter(({ command }) => command.type !== 'element.add' || !isThere(command));
  const last = before ?? withWaiting(withRemoved(confirmed, theirs), real).room;
  for (const [id, list] of Map.groupBy(real, ({ command }) => thingOf(command))) {
    const held = list.flatMap(({ command }) => heldText(command, last) ?? []);
    if (held.length === 0) continue;
    const remover = theirs.find((each) => id !== null && removedBy(each).some((element) => element.id === id));
    const [branch] = id === null ? [] : asBranch(branchOf(last.elements, id));
    const spot = id === null ? undefined : spotOf(last.elements, id);
    const text = `${remover ? `${remover.who} removed what you changed. ` : ''}Not saved: ${[...new Set(held)].join(', ')}.`;
    if (!branch || !spot) notify(text);
    else {
      const isValid = () => !findElement(document()?.room.elements ?? [], branch.top.id);
      notify(text, { label: 'Restore', isValid, act: () => restore(document(), branch, spot) });
    }
  }
}
