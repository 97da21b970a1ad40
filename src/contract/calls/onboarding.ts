import { z } from 'zod';
import { call } from '../call.ts';
import { onboardingSchema } from '../entities.ts';

/** First steps in the back-office, and removal of the demo. */
export const onboarding = {
  read: call({
    method: 'GET',
    path: '/backend/onboarding',
    summary: 'What has been done of the first steps, and what is left of the demo.',
    access: 'session',
    output: onboardingSchema,
  }),
  dismiss: call({
    method: 'POST',
    path: '/backend/onboarding',
    summary: 'Shows the first steps to the caller no more, or again.',
    access: 'session',
    body: z.strictObject({ is_dismissed: z.boolean().describe('Whether they are shown no more.') }),
    output: z.null(),
    errors: ['forbidden'],
  }),
  removeDemo: call({
    method: 'POST',
    path: '/backend/onboarding/remove-demo',
    summary:
      'Moves what nobody has changed or uses of the demo to the bin: structures, spaces, templates and feeds. Its files go by themselves when nothing in the bin needs them any more.',
    access: 'session',
    output: z.object({
      entries: z
        .array(z.int())
        .describe('Entries of the change log that restore what went, in the order in which to restore.'),
      kept: z.int().describe('How many things stayed.'),
    }),
    errors: ['forbidden'],
    done: 'The demo has been removed.',
  }),
};
