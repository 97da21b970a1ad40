import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ApiError } from '../../contract/errors.ts';

/** What travels between the server's library and the browser's. */
type Json = Record<string, unknown>;

/** Whether the browser has passkeys, at this address. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/** What is said when the browser's own dialog was left, or had nothing to offer. */
const notDone = (text: string) => new ApiError('invalid', { passkey: [text] });

/** @throws ApiError invalid when nothing came of it */
async function ask(answer: Promise<object>, text: string): Promise<Json> {
  try {
    return { ...(await answer) };
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw notDone(isKnown ? 'This device has a passkey for your account already.' : text);
  }
}

/** Lets the browser make a passkey. */
export const createPasskey = (options: object): Promise<Json> =>
  ask(
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
    'No passkey was made. Try again, and let the device recognize you.',
  );

/** Lets the browser answer with a passkey. */
export const askPasskey = (options: object): Promise<Json> =>
  ask(
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
    'No passkey was used. Try again, or sign in with your password.',
  );
