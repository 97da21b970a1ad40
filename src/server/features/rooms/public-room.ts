import type { Room } from '../../../../engine/document/room.ts';
import { shownElements } from '../../../../engine/document/tree.ts';

/** A room as visitors get it: without hidden elements, and without what was written for the back-office only. */
export const publicRoom = (room: Room): Room => ({
  ...room,
  name: room.title,
  template: room.template && { ...room.template, name: 'Template', description: '' },
  elements: shownElements(room.elements),
});
