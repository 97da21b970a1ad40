import { Secret, TOTP } from 'otpauth';

/** An authenticator app with one secret. */
export class AuthenticatorApp {
  readonly #totp: TOTP;

  /** @param secret base32, as displayed for manual entry */
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  /** The current code. @param now milliseconds since 1970 */
  code(now: number): string {
    return this.#totp.generate({ timestamp: now });
  }
}
