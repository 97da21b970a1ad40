import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { ApiError } from '../../../contract/errors.ts';
import { headOf } from '../../core/files/checked-head.ts';
import { readHead } from '../../core/files/inspect/wanted-head.ts';
import type { MediaStore } from '../../core/files/media-store.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { Workers } from '../../core/files/workers/workers.ts';
import { oneLine } from './provider.ts';

/** A received video, ready to be forwarded. */
export interface Film {
  /** Title: the file name without its extension. */
  title: string;
  mime: string;
  bytes: number;
  /** Reads from a byte offset, up to but excluding another one. */
  read(from: number, to?: number): Readable;
}

/** Services that receive and inspect videos. */
export interface VideoServices {
  media: MediaStore;
  workers: Workers;
}

/**
 * Receives a video that is forwarded to a platform, and deletes it afterwards. Platforms need to know the size first.
 * @throws ApiError wrong_type if it isn't a video
 */
export async function withVideo<T>(
  { media, workers }: VideoServices,
  file: Upload,
  use: (film: Film) => Promise<T>,
): Promise<T> {
  const arrival = await media.receive(file, { check: headOf(workers, 'video') });
  try {
    const { mime } = await workers.run('detectKind', await readHead(arrival.file));
    if (!mime.startsWith('video/'))
      throw new ApiError('wrong_type', { file: ["This file isn't a video. Choose a video."] });
    return await use({
      title: oneLine(file.name.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, ''), 100) || 'Video',
      mime,
      bytes: arrival.bytes,
      read: (from, to = arrival.bytes) => createReadStream(arrival.file, { start: from, end: to - 1 }),
    });
  } finally {
    await media.discard(arrival);
  }
}
