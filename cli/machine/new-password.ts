import { createReadable } from '../../src/server/core/secrets/token.ts';
import { usageError } from '../failure.ts';
import { askSecret } from '../io/ask.ts';

/** Length limits of a password, in characters. */
const SHORTEST = 10;
const MAX_PASSWORD_LENGTH = 1024;

/** Reads a password from standard input, or generates one to print. */
export async function newPassword(isAsked: boolean): Promise<{ password: string; isMadeUp: boolean }> {
  if (!isAsked) return { password: createReadable(), isMadeUp: true };
  const password = await askSecret('password');
  if (password.length < SHORTEST || password.length > MAX_PASSWORD_LENGTH)
    throw usageError(
      `The password must have ${SHORTEST} to ${MAX_PASSWORD_LENGTH} characters.`,
      'Use another password.',
    );
  return { password, isMadeUp: false };
}

/** Normalizes an e-mail address. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 255 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw usageError(`Invalid e-mail address: ${text}.`, 'Use an address such as name@example.com.');
  return email;
}
