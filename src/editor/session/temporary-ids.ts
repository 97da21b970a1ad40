import { FIRST_TEMPORARY_ID } from '../../../engine/document/constants.ts';

/** Whether an id was given by the editor and not by the server. */
export const isTemporary = (id: number): boolean => id >= FIRST_TEMPORARY_ID;

let last = FIRST_TEMPORARY_ID;

/** Keeps an id from being given again: one that was given before the page was loaded anew. */
export function reserveTemporaryId(id: number): void {
  if (isTemporary(id)) last = Math.max(last, id);
}

/** An id for a new element, which holds for as long as the page does. */
export function temporaryId(): number {
  last += 1;
  return last;
}
