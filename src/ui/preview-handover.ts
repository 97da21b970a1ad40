import type { Room } from '../../engine/document/room.ts';
import { storedText } from './storage.ts';

const unsavedRoom = (id: number) => storedText(`enfilade.unsaved-room:${id}`, 'window');

/** Leaves a room with unsaved edits for the preview that opens next in this tab. @param room null if all edits are saved */
export function handOverUnsaved(id: number, room: Room | null): void {
  unsavedRoom(id).set(room && JSON.stringify(room));
}

/** Takes the room that the editor left for the preview, once. */
export function takeUnsaved(id: number): Room | null {
  const stored = unsavedRoom(id);
  const text = stored.get();
  stored.set(null);
  return text === null ? null : JSON.parse(text);
}
