import type { Challenge } from '../../contract/entities.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { sendForm } from '../../contract/send-form.ts';
import { sayError } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { Draft } from './drafts.ts';

const headersOf = (token: string | null): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});

/**
 * Requests a proof-of-work challenge.
 * @param token visit token, if the room needs one
 * @throws Error if the server gives none
 */
export async function askChallenge(feedId: number, token: string | null): Promise<Challenge> {
  const answer = await fetch(`/api/v1/share/challenge?feed_id=${feedId}`, { headers: headersOf(token) });
  if (!answer.ok) throw new Error(`No challenge: ${answer.status}`);
  return ((await answer.json()) as { data: Challenge }).data;
}

/** Credentials sent with a message. */
interface Sending {
  /** Visit token, if the room needs one. */
  token: string | null;
  /** Proof of work, or null. */
  proof: string | null;
}

/**
 * Sends a message, an image or both to a local feed.
 * @returns whether it waits for approval
 * @throws Error with a message for visitors if it was rejected
 */
export async function sendShare(
  feedId: number,
  { name, message, file }: Draft,
  { token, proof }: Sending,
): Promise<boolean> {
  const form = new FormData();
  form.set('name', name);
  form.set('message', message);
  form.set('feed_id', String(feedId));
  if (proof !== null) form.set('proof', proof);
  if (file) form.set('file', file);
  const headers = headersOf(token);
  const answer = await sendForm('/api/v1/share', { form, headers, signal: AbortSignal.timeout(120_000) }).catch(() => {
    throw new Error(say('notShared'));
  });
  if (answer.status < 300)
    return (answer._data as { data?: { is_waiting?: boolean } } | null)?.data?.is_waiting === true;
  throw new Error(sayError(answer._data as ErrorBody | null, 'notShared'));
}
