import { hash, randomBytes, randomInt } from 'node:crypto';

/** A new secret: 256 random bits. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret: SHA-256, hexadecimal. A secret of 256 random bits needs no salt and no slowness. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Letters and digits that are not confused with one another. */
export const TOKEN_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A new secret that can be read out and typed: four groups of four signs, 79 bits. */
export const createReadable = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join(''),
  ).join('-');
