import { z } from 'zod';
import type { PlatformClient } from '../platform-client.ts';
import { PlatformError } from '../platform-errors.ts';
import type { Film } from './receive-film.ts';

/** Maximum number of resumptions after an interrupted upload. */
const RESUMES = 3;
/** Bytes per request. */
const PIECE = 128 * 1024 * 1024;

const VERSION = { 'tus-resumable': '1.0.0' } as const;

const madeSchema = z.object({
  uri: z.string().regex(/^\/videos\/\d+/),
  upload: z.object({ approach: z.literal('tus'), upload_link: z.string().min(1) }),
});

const offsetOf = ({ 'upload-offset': offset = '' }: Record<string, string>): number => {
  if (!/^\d{1,15}$/.test(offset)) throw new PlatformError("Vimeo didn't return the upload offset.", '');
  return Number(offset);
};

/**
 * Uploads a video with tus: https://developer.vimeo.com/api/upload/videos#resumable-approach
 * @returns its API path, such as /videos/258684937
 */
export async function sendToVimeo(client: PlatformClient, { title, bytes, read }: Film): Promise<string> {
  const { uri, upload } = await client.json(madeSchema, {
    method: 'POST',
    path: '/me/videos',
    query: { fields: 'uri,upload' },
    json: { upload: { approach: 'tus', size: String(bytes) }, name: title },
  });
  const shared = { path: upload.upload_link, isOpen: true } as const;
  let from = 0;
  let resumes = 0;
  while (from < bytes) {
    const to = Math.min(bytes, from + PIECE);
    try {
      const { headers } = await client.send({
        ...shared,
        method: 'PATCH',
        headers: {
          ...VERSION,
          'upload-offset': String(from),
          'content-type': 'application/offset+octet-stream',
          'content-length': String(to - from),
        },
        stream: read(from, to),
      });
      from = offsetOf(headers);
    } catch (error) {
      const isPassing = error instanceof PlatformError && error.platformReason === 'unreachable';
      if (!isPassing || ++resumes > RESUMES) throw error;
      from = offsetOf((await client.send({ ...shared, method: 'HEAD', headers: VERSION })).headers);
    }
  }
  return uri;
}
