import type { Challenge } from '../../contract/entities.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { sendForm } from '../../contract/send-form.ts';
import { sayError } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { Draft } from './drafts.ts';

const headersOf = (token: string | null): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});

/**
 * Asks for the work that goes with a message.
 * @param token token of the visit, where the room asks for one
 * @throws Error where the server gives none
 */
export async function askChallenge(feedId: number, token: string | null): Promise<Challenge> {
  const answer = await fetch(`/api/v1/share/challenge?feed_id=${feedId}`, { headers: headersOf(token) });
  if (!answer.ok) throw new Error(`No challenge: ${answer.status}`);
  return ((await answer.json()) as { data: Challenge }).data;
}

/** What goes with a message. */
interface Sending {
  /** Token of the visit, where the room asks for one. */
  token: string | null;
  /** Proof of work; null where there is none. */
  proof: string | null;
}

/**
 * Puts a message, a picture or both into a local feed.
 * @returns whether nobody sees it before somebody has approved it
 * @throws Error with a sentence for visitors when it was not taken
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
