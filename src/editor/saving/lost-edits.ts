import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement, type Place, placeInTree } from '../../../engine/document/tree.ts';
import type { SentCommand } from '../../contract/entities.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { addAgain } from '../session/element-actions.ts';
import { withWaiting } from '../session/sent-commands.ts';
import type { Theirs } from './conflict.ts';
import { heldText, thingOf } from './waiting.ts';

/** What a person can do at once about what they are told. */
export interface Offer {
  label: string;
  act(): void;
}

interface Telling {
  confirmed: Room;
  /** What was shown until then; undefined where nothing was. */
  before: Room | undefined;
  document(): DocumentStore | null;
  tell(text: string, offer?: Offer): void;
}

/** Elements that others removed, with all that was in them. */
const removedBy = ({ inverses }: Theirs): Element[] =>
  inverses.flatMap((inverse) => (inverse.type === 'element.add' ? [inverse.element] : []));

const restore = (document: DocumentStore | null, element: Element, place: Place) =>
  document && addAgain(document, element, place);

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
  const gone = theirs.flatMap(removedBy);
  const last = before ?? withWaiting({ ...confirmed, elements: [...confirmed.elements, ...gone] }, real).room;
  for (const [id, list] of Map.groupBy(real, ({ command }) => thingOf(command))) {
    const held = list.flatMap(({ command }) => heldText(command, last) ?? []);
    if (held.length === 0) continue;
    const remover = theirs.find((each) => id !== null && findElement(removedBy(each), id));
    const element = id === null ? undefined : findElement(last.elements, id);
    const place = id === null ? undefined : placeInTree(last.elements, id);
    const text = `${remover ? `${remover.who} removed what you changed. ` : ''}Not saved: ${[...new Set(held)].join(', ')}.`;
    if (!element || !place) tell(text);
    else tell(text, { label: 'Restore', act: () => restore(document(), element, place) });
  }
}
