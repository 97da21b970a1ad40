import { differences, keyOf, sentenceOf } from '../../../../engine/document/difference.ts';
import type { NestedElement } from '../../../../engine/document/element.ts';
import { type Decide, mergeDocuments } from '../../../../engine/document/merge-documents.ts';
import { type IdMap, remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import { nestedRoom, type Room } from '../../../../engine/document/room.ts';
import { withKeys } from '../../../../engine/document/sibling-keys.ts';
import { byId, flatten } from '../../../../engine/document/tree.ts';
import type { ProposedChange } from '../../../contract/entities.ts';

/** A room under other ids. Elements that aren't in the map keep theirs. */
export function withIds(room: Room, id: number, ids: IdMap): Room {
  const mapped = (own: number): number => ids.get(own) ?? own;
  return {
    ...room,
    id,
    config: remapRoomConfig(room.config, ids),
    elements: room.elements.map((element) => ({
      ...remapElement(element, ids),
      id: mapped(element.id),
      parent_element_id: element.parent_element_id === null ? null : mapped(element.parent_element_id),
    })),
  };
}

/** The three sides of a merge, all under the ids of the space to change. */
export interface MergedSides {
  /** The space when the proposal was created. */
  base: Room;
  /** The space as it is. */
  ours: Room;
  /** The proposed content. */
  theirs: Room;
}

/** The space after a merge, and the keys of the places that both sides changed. */
function mergeSides({ base, ours, theirs }: MergedSides, decide: Decide) {
  const { document, conflicts } = mergeDocuments(nestedRoom(base), nestedRoom(ours), nestedRoom(theirs), decide);
  const { elements, ...fields } = document;
  // Ordered like the tree, with the keys of the space where they still fit.
  const placed = withKeys(flatten(elements as NestedElement[]), byId(ours.elements));
  return { room: { ...fields, elements: placed } as Room, conflicts: new Set(conflicts.map(({ key }) => key)) };
}

/**
 * The space after the merge of a proposal, which wins where both changed.
 * @param without keys of changes to leave out
 */
export const mergeProposal = (sides: MergedSides, without: ReadonlySet<string>): Room =>
  mergeSides(sides, (key) => (without.has(key) ? 'ours' : 'theirs')).room;

/**
 * The changes that the merge of a proposal makes.
 * @param fill adds files and the template, whose names the texts contain
 */
export async function proposedChanges(
  sides: MergedSides,
  fill: (room: Room) => Promise<Room>,
): Promise<ProposedChange[]> {
  const { room, conflicts } = mergeSides(sides, () => 'theirs');
  return differences(await fill(sides.ours), await fill(room)).map((difference) => {
    const key = keyOf(difference);
    return { key, text: sentenceOf(difference), is_conflict: conflicts.has(key) };
  });
}
