import type { Share, ShareState } from '../../../contract/entities.ts';

/** What the states of a message are called. */
export const STATE_NAMES: Record<ShareState, string> = {
  waiting: 'Waiting',
  shown: 'Shown',
  hidden: 'Hidden',
  removed: 'Removed',
};

/** The color of each. */
export const STATE_COLORS: Record<ShareState, string> = {
  waiting: 'brass',
  shown: 'teal',
  hidden: 'gray',
  removed: 'red',
};

/** Why a message waits; empty where it does not. */
export function waitingText({ state, held_because, held_word }: Share): string {
  if (state !== 'waiting') return '';
  if (held_because === 'word') return `Blocked word “${held_word}”`;
  return held_because === 'proof' ? 'Sent without proof of work' : '';
}
