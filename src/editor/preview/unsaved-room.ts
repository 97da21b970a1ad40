import type { Room } from '../../../engine/document/room.ts';

/** By id; what an editor of this page was left with before the server had it. */
const rooms = new Map<number, Room>();

/** Keeps a room as its editor has it for the preview that follows. @param room null where the server has it, too */
export function keepUnsaved(id: number, room: Room | null): void {
  if (room) rooms.set(id, room);
  else rooms.delete(id);
}

/** The room as its editor was left, where the server does not have it yet. */
export const unsavedRoom = (id: number): Room | undefined => rooms.get(id);
