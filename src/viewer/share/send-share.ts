import type { ErrorBody } from '../../contract/errors.ts';
import { sendForm } from '../../contract/send-form.ts';
import { sayError } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { Draft } from './drafts.ts';

/**
 * Puts a message, a picture or both into a local feed.
 * @param token token of the visit, where the room asks for one
 * @throws Error with a sentence for visitors when it was not taken
 */
export async function sendShare(feedId: number, { name, message, file }: Draft, token: string | null): Promise<void> {
  const form = new FormData();
  form.set('name', name);
  form.set('message', message);
  form.set('feed_id', String(feedId));
  if (file) form.set('file', file);
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await sendForm('/api/v1/share', { form, headers, signal: AbortSignal.timeout(120_000) }).catch(() => {
    throw new Error(say('notShared'));
  });
  if (answer.status < 300) return;
  throw new Error(sayError(answer._data as ErrorBody | null, 'notShared'));
}
