import { createHmac, randomBytes } from 'node:crypto';

/** What secrets begin with (Standard Webhooks). */
const PREFIX = 'whsec_';
/** Bytes of a secret: between 24 and 64, as the specification has it. */
const SECRET_BYTES = 32;

/** Place that a webhook's secret is sealed for: sealed for another one, it does not open. */
export const sealPlaceOfWebhook = (organizationId: number): string => `webhook ${organizationId}`;

export const createSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * Headers of a message, signed as Standard Webhooks has it (https://www.standardwebhooks.com): HMAC-SHA-256 over id, time and body.
 * @param seconds since 1970
 */
export function signedHeaders(
  secret: string,
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
