import { hash, verify } from '@node-rs/argon2';

/** argon2id as OWASP asks: 19 MiB, two passes, one lane. The library hashes off the main thread. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** Made once, so that a sign-in with an unknown address takes as long as one with a known address. */
let decoy: Promise<string> | undefined;

/**
 * Whether a password fits a stored hash.
 * @param stored null for an unknown account: the work is done all the same, and the answer is no
 */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('an account that does not exist');
  const fits = await verify(stored ?? (await decoy), password);
  return fits && stored !== null;
}
