import { z } from 'zod';

/** Ways to reauthenticate. */
export const CONFIRMATIONS = ['password', 'passkey', 'sign_in'] as const;

/** The user's own second factor. */
export const secondFactorSchema = z.object({
  is_on: z.boolean().describe('Whether sign-in requires a code.'),
  recovery_codes: z.int().describe('Number of remaining recovery codes.'),
  confirm_by: z
    .array(z.enum(CONFIRMATIONS))
    .describe('Ways to reauthenticate before a change; `sign_in` for a recent sign-in with the identity provider.'),
});
export type SecondFactor = z.output<typeof secondFactorSchema>;

/** Recovery codes; shown only once. */
export const recoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe('Recovery codes, each valid once in place of a code from the app.'),
});

/** Proof of reauthentication, sent with a sensitive change. */
export const confirmationSchema = z.object({
  confirmation: z.string().describe('Confirmation token, valid for one change within five minutes.'),
});
