import { z } from 'zod';

/** Ways to reauthenticate. */
export const CONFIRMATIONS = ['password', 'passkey', 'sign_in'] as const;

/** The user's own second factor. */
export const secondFactorSchema = z.object({
  is_on: z.boolean().describe('Whether a code is asked for at the sign-in.'),
  recovery_codes: z.int().describe('Recovery codes that are left.'),
  confirm_by: z
    .array(z.enum(CONFIRMATIONS))
    .describe('How one shows who one is before a change; `sign_in` stands for having just signed in elsewhere.'),
});
export type SecondFactor = z.output<typeof secondFactorSchema>;

/** Recovery codes; shown only once. */
export const recoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe('Codes of which each stands once for one of the app.'),
});

/** Proof of reauthentication, sent with a sensitive change. */
export const confirmationSchema = z.object({
  confirmation: z.string().describe('Goes with one such change, within five minutes.'),
});
