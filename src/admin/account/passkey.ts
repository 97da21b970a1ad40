import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ApiError } from '../../contract/errors.ts';

/** WebAuthn options and responses as JSON. */
type Json = Record<string, unknown>;

/** Whether the browser supports passkeys on this origin. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/** Error for a dismissed or failed passkey dialog. */
const notDone = (text: string) => new ApiError('invalid', { passkey: [text] });

/** @throws ApiError `invalid` if the browser returns no credential */
async function ask(answer: Promise<object>, text: string): Promise<Json> {
  try {
    return { ...(await answer) };
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw notDone(isKnown ? 'This device already has a passkey for your account.' : text);
  }
}

export const createPasskey = (options: object): Promise<Json> =>
  ask(
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
    'Passkey not added. Try again and confirm on your device.',
  );

/** Signs in or confirms with a passkey. */
export const askPasskey = (options: object): Promise<Json> =>
  ask(
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
    'Passkey not used. Try again, or sign in with your password.',
  );
