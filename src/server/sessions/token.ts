import { createHash, randomBytes } from 'node:crypto';

/** A new secret that nobody can guess: 256 random bits. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret: SHA-256, hexadecimal. A secret of 256 random bits needs no salt and no slowness. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
