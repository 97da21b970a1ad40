import { Secret, TOTP } from 'otpauth';
import { openToken, sealToken } from '../../base/secrets/seal-token.ts';
import type { ServerSettings } from '../../base/settings.ts';

/** Seconds for which a code is shown (RFC 6238). */
const PERIOD = 30;
/** Codes before and after the one of the moment that are taken too: clocks differ. */
const DRIFT = 1;
/** Bytes of a secret: as long as SHA-1's output, as RFC 4226 asks. */
const SECRET_BYTES = 20;

const sealPlaceOfFactor = (userId: number) => `second factor of user ${userId}`;

const totpOf = (secret: string, issuer: string, label: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), issuer, label, period: PERIOD });

/** A secret for an authenticator app. */
export interface NewSecret {
  /** Base32. */
  secret: string;
  /** What apps read from a QR code. */
  uri: string;
  /** As it is stored: it opens nowhere but with this user. */
  sealed: string;
}

/**
 * Makes a secret.
 * @param issuer where it is for, as the app shows it
 * @param label whose it is, as the app shows it
 */
export async function createSecret(
  settings: ServerSettings,
  userId: number,
  issuer: string,
  label: string,
): Promise<NewSecret> {
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  // A colon parts the two in what apps read.
  const uri = totpOf(secret, issuer.replaceAll(':', ' '), label).toString();
  return { secret, uri, sealed: await sealToken(settings, sealPlaceOfFactor(userId), secret) };
}

/**
 * Holds a code against a secret.
 * @param now milliseconds since 1970
 * @returns number of the half minute that it belongs to; null when it is of none about now
 */
export async function stepOfCode(
  settings: ServerSettings,
  userId: number,
  sealed: string,
  code: string,
  now: number,
): Promise<number | null> {
  const secret = await openToken(settings, sealPlaceOfFactor(userId), sealed);
  if (secret === null) return null;
  const drift = totpOf(secret, '', '').validate({ token: code, timestamp: now, window: DRIFT });
  return drift === null ? null : Math.floor(now / (PERIOD * 1000)) + drift;
}
