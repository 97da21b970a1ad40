import type { Theirs } from './conflict.ts';
import type { SaveQueue } from './save-queue.ts';

const countOf = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

/** What is said beside the sign of saving. */
export function textOf({ state, waiting, hasFailed, isStuck }: SaveQueue): string {
  if (state === 'read-only') return waiting === 0 ? 'Read only' : `Read only, ${countOf(waiting)} not saved`;
  if (waiting === 0) return 'Saved';
  if (state === 'signed-out') return `Signed out, ${countOf(waiting)} waiting`;
  if (isStuck) return `${countOf(waiting)} waiting for your decision`;
  return hasFailed ? `Offline, ${countOf(waiting)} waiting` : 'Saving';
}

/** What is said when the server no longer lets a person change a space. */
export function forbiddenText(status: number, waiting: number): string {
  const why = status === 404 ? 'This space was removed.' : 'You may no longer change this space.';
  return waiting > 0 ? `${why} ${countOf(waiting)} could not be saved; this browser keeps what you did.` : why;
}

/** What is said when something was done elsewhere that shows here now. */
export const newsText = (theirs: readonly Theirs[]): string =>
  theirs.every(({ isOwn, commands }) => isOwn || commands.length === 0)
    ? 'You changed this space in another window; what you did there is shown.'
    : 'Somebody else changed this space; what they did is shown.';
