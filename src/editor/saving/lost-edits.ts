import { Draft } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { branchOf, findElement, type Spot, spotOf } from '../../../engine/document/tree.ts';
import type { SentCommand } from '../../contract/entities.ts';
import type { Offer } from '../../ui/notifications.ts';
import { asBranch, type Branch, restoreBranch } from '../session/copies.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { withWaiting } from '../session/sent-commands.ts';
import type { Theirs } from './conflict.ts';
import { heldText, thingOf } from './waiting.ts';

interface Telling {
  confirmed: Room;
  /** What was shown until then; undefined where nothing was. */
  before: Room | undefined;
  document(): DocumentStore | null;
  tell(text: string, offer?: Offer): void;
}

/** Elements that others removed, with all that was in them. */
const removedBy = ({ inverses }: Theirs): Element[] =>
  inverses.flatMap((inverse) => (inverse.type === 'element.add' ? inverse.elements : []));

const restore = (document: DocumentStore | null, branch: Branch, spot: Spot) =>
  document && restoreBranch(document, branch, spot);

/** A room with what others removed from it. */
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
 * Says what is lost of edits that no longer apply, who was in their way, and offers what was removed with them in it.
 * @param theirs what others had done before that was noticed
 */
export function sayLost(
  lost: readonly { command: SentCommand }[],
  theirs: readonly Theirs[],
  { confirmed, before, document, tell }: Telling,
): void {
  // What is added already was done by an earlier call.
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
    if (!branch || !spot) tell(text);
    else tell(text, { label: 'Restore', act: () => restore(document(), branch, spot) });
  }
}
