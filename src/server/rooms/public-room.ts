import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';

const shown = (elements: readonly Element[]): Element[] =>
  elements.filter(({ hidden }) => !hidden).map((element) => ({ ...element, children: shown(element.children) }));

/** A room as visitors get it: without hidden elements, and without what was written for the back-office only. */
export const publicRoom = (room: Room): Room => ({
  ...room,
  name: room.title,
  template: room.template && { ...room.template, name: 'Template', description: '' },
  elements: shown(room.elements),
});
