import { z } from 'zod';

/** First steps in the back-office, in order. */
export const ONBOARDING_STEPS = ['space', 'edit', 'address', 'visit', 'token', 'colleague'] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** Kinds of resources in the demo. */
export const DEMO_KINDS = ['structure', 'space', 'template', 'feed'] as const;
export type DemoKind = (typeof DEMO_KINDS)[number];

/** Why removing the demo keeps a resource. */
export const KEEP_REASONS = {
  changed: 'was changed',
  used: 'is in use',
  published: 'was published',
  tokens: 'has access tokens',
} as const;
export type KeepReason = keyof typeof KEEP_REASONS;
const REASONS = Object.keys(KEEP_REASONS) as [KeepReason, ...KeepReason[]];

const part = z.object({
  kind: z.enum(DEMO_KINDS).describe('What it is.'),
  id: z.int().describe('Its id.'),
  name: z.string().describe('Its name.'),
  kept: z.enum(REASONS).nullable().describe('Why it stays when the demo is removed; null for what goes.'),
});
export type DemoPart = z.output<typeof part>;

/** A user's completed first steps, and the remaining demo resources. */
export const onboardingSchema = z.object({
  steps: z
    .array(
      z.object({
        name: z.enum(ONBOARDING_STEPS).describe('What is to be done.'),
        is_done: z.boolean().describe('Whether somebody of the organization has done it.'),
      }),
    )
    .describe('The steps that the caller may do, in their order; what belongs to the demo does not count.'),
  is_dismissed: z.boolean().describe('Whether the caller wants to see the steps no more.'),
  demo: z.array(part).describe('What is left of the demo.'),
});
export type Onboarding = z.output<typeof onboardingSchema>;
