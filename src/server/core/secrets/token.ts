import { hash, randomBytes, randomInt } from 'node:crypto';

/** A new secret: 256 random bits. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/** Stored form of a secret: SHA-256, hexadecimal. 256 random bits need neither salt nor a slow hash. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Letters and digits that aren't easily confused. */
export const TOKEN_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A new secret that is easy to read out and type: four groups of four characters, 79 bits. */
export const createReadable = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join(''),
  ).join('-');
