import { z } from 'zod';
import { PlatformError } from '../platform-errors.ts';
import type { YoutubeClient } from '../youtube-client.ts';
import type { Film } from './receive-film.ts';

/** Maximum number of resumptions after an interrupted upload. */
const RESUMES = 3;
/** Status that requests more bytes. */
const RESUME_INCOMPLETE = 308;

const madeSchema = z.object({ id: z.string().min(1) });

/** Number of received bytes, from `Range: bytes=0-499`. */
function arrivedOf(headers: Record<string, string>): number {
  const last = /^bytes=0-(\d+)$/.exec(headers.range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

/** Whether a failure may be transient. */
const isPassing = (error: unknown): boolean => error instanceof PlatformError && error.platformReason === 'unreachable';

/**
 * Uploads a video: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * It is unlisted: rooms can show it, but it can't be found otherwise.
 * @returns its id
 */
export async function sendToYoutube(client: YoutubeClient, { title, mime, bytes, read }: Film): Promise<string> {
  const { headers } = await client.send({
    method: 'POST',
    path: '/upload/youtube/v3/videos',
    query: { uploadType: 'resumable', part: 'snippet,status' },
    headers: { 'x-upload-content-length': String(bytes), 'x-upload-content-type': mime },
    json: { snippet: { title }, status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false } },
  });
  const path = headers.location ?? '';
  let from = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      const range: Record<string, string> =
        from === 0 ? {} : { 'content-range': `bytes ${from}-${bytes - 1}/${bytes}` };
      const answer = await client.send(
        {
          method: 'PUT',
          path,
          isOpen: true,
          headers: { 'content-type': mime, 'content-length': String(bytes - from), ...range },
          stream: read(from),
        },
        [RESUME_INCOMPLETE],
      );
      if (answer.status !== RESUME_INCOMPLETE) return client.read(madeSchema, answer.json).id;
      if (attempt >= RESUMES) throw new PlatformError("YouTube didn't receive the whole video. Send it again.", '');
      from = arrivedOf(answer.headers);
    } catch (error) {
      if (!isPassing(error) || attempt >= RESUMES) throw error;
      const asked = { method: 'PUT', path, isOpen: true, headers: { 'content-range': `bytes */${bytes}` } } as const;
      const answer = await client.send(asked, [RESUME_INCOMPLETE]);
      if (answer.status !== RESUME_INCOMPLETE) return client.read(madeSchema, answer.json).id;
      from = arrivedOf(answer.headers);
    }
  }
}
