import { call } from '../call.ts';
import { accessibilitySchema, missingAlternativesSchema } from '../entities.ts';

/** Accessibility of the organization's spaces. */
export const accessibility = {
  findings: call({
    method: 'GET',
    path: '/backend/accessibility/findings',
    summary: 'Counts what assistive technology cannot present in spaces, by kind.',
    access: 'rooms.view_any',
    output: accessibilitySchema,
  }),
  missing: call({
    method: 'GET',
    path: '/backend/accessibility/missing',
    summary: 'Counts missing alternatives and transcripts in spaces.',
    access: 'rooms.view_any',
    output: missingAlternativesSchema,
  }),
};
