import type { Transition } from '../../../engine/document/constants.ts';

/** Labels of transitions between places. */
const NAMES: Record<Transition, string> = { zoom: 'Zoom', fade: 'Fade', cut: 'Cut' };

/** Transitions as options of a select. */
export const TRANSITION_OPTIONS = Object.entries(NAMES).map(([value, label]) => ({ value, label }));
