import { hash, verify } from '@node-rs/argon2';

/** argon2id with OWASP's parameters: 19 MiB, two passes, one lane. The library hashes off the main thread. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** Hash for unknown accounts, so that a sign-in takes equally long whether or not the account exists. */
let decoy: Promise<string> | undefined;

/**
 * Verifies a password against a stored hash.
 * @param stored null for an unknown account: takes equally long and returns false
 */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('an account that does not exist');
  const fits = await verify(stored ?? (await decoy), password);
  return fits && stored !== null;
}
