import type { TranslationState } from '../../engine/document/translation-state.ts';

/** Labels of states on screens. */
export const STATE_LABELS: Record<TranslationState, string> = {
  missing: 'Missing',
  outdated: 'Outdated',
  draft: 'Machine draft',
  done: 'Translated',
};

/** Colors of states, always beside their labels. */
export const STATE_COLORS: Record<TranslationState, string> = {
  missing: 'gray',
  outdated: 'orange',
  draft: 'blue',
  done: 'teal',
};
