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
  kind: z.enum(DEMO_KINDS).describe('Type of the resource.'),
  id: z.int().describe('Resource ID.'),
  name: z.string().describe('Resource name.'),
  kept: z
    .enum(REASONS)
    .nullable()
    .describe('Why the resource is kept when the demo is removed; null if it is removed.'),
});
export type DemoPart = z.output<typeof part>;

/** A user's completed first steps, and the remaining demo resources. */
export const onboardingSchema = z.object({
  steps: z
    .array(
      z.object({
        name: z.enum(ONBOARDING_STEPS).describe('Name of the step.'),
        is_done: z.boolean().describe('Whether a user of the organization has completed the step.'),
      }),
    )
    .describe("Steps available to the caller, in order. Changes to the demo don't count."),
  is_dismissed: z.boolean().describe('Whether the caller has dismissed the steps.'),
  demo: z.array(part).describe('Remaining demo resources.'),
});
export type Onboarding = z.output<typeof onboardingSchema>;
