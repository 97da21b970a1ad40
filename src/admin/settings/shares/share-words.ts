import type { Share, ShareState } from '../../../contract/entities.ts';

/** Labels of message states. */
export const STATE_NAMES: Record<ShareState, string> = {
  waiting: 'Waiting',
  shown: 'Shown',
  hidden: 'Hidden',
  removed: 'Removed',
};

/** Badge colors. */
export const STATE_COLORS: Record<ShareState, string> = {
  waiting: 'brass',
  shown: 'teal',
  hidden: 'gray',
  removed: 'red',
};

/** Why a message is held; empty if it isn't. */
export function waitingText({ state, held_because, held_word }: Share): string {
  if (state !== 'waiting') return '';
  if (held_because === 'word') return `Blocked word “${held_word}”`;
  return held_because === 'proof' ? 'Sent without proof of work' : '';
}
