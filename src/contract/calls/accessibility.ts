import { call } from '../call.ts';
import { accessibilitySchema } from '../entities.ts';

/** Accessibility of the organization's spaces. */
export const accessibility = {
  findings: call({
    method: 'GET',
    path: '/backend/accessibility/findings',
    summary: 'Counts what assistive technology cannot present in the 200 most recently changed spaces.',
    access: 'rooms.view_any',
    output: accessibilitySchema,
  }),
};
