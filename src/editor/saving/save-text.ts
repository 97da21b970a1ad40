import type { SaveQueue } from './save-queue.ts';

export const countOf = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

/** What is said beside the sign of saving. */
export function textOf({ state, waiting, hasFailed, isStuck }: SaveQueue): string {
  if (state === 'read-only') return waiting === 0 ? 'Read only' : `Read only, ${countOf(waiting)} not saved`;
  if (waiting === 0) return 'Saved';
  if (state === 'signed-out') return `Signed out, ${countOf(waiting)} waiting`;
  if (isStuck) return `${countOf(waiting)} waiting for your decision`;
  return hasFailed ? `Offline, ${countOf(waiting)} waiting` : 'Saving';
}
