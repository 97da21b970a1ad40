import { z } from 'zod';
import { call } from '../call.ts';
import { onboardingSchema } from '../entities.ts';

/** First steps in the back-office, and removal of the demo. */
export const onboarding = {
  read: call({
    method: 'GET',
    path: '/backend/onboarding',
    summary: "Returns the user's first steps and the remaining demo resources.",
    access: 'session',
    output: onboardingSchema,
  }),
  dismiss: call({
    method: 'POST',
    path: '/backend/onboarding',
    summary: 'Dismisses the first steps for the caller, or shows them again.',
    access: 'session',
    body: z.strictObject({ is_dismissed: z.boolean().describe('Whether to dismiss the steps.') }),
    output: z.null(),
    errors: ['forbidden'],
  }),
  removeDemo: call({
    method: 'POST',
    path: '/backend/onboarding/remove-demo',
    summary:
      'Moves unchanged and unused demo resources to the bin: structures, spaces, templates and feeds. Their files are deleted once nothing in the bin needs them.',
    access: 'session',
    scope: 'delete',
    output: z.object({
      entries: z
        .array(z.int())
        .describe('IDs of change log entries that restore the demo, in the order to restore them.'),
      kept: z.int().describe('Number of resources kept.'),
    }),
    errors: ['forbidden'],
    done: 'The demo has been removed.',
  }),
};
