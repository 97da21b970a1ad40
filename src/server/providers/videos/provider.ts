import type { z } from 'zod';
import { href } from '../../../../engine/document/fields.ts';
import type { videoModuleSchema } from '../../../../engine/document/video-module.ts';
import type { Upload } from '../../core/files/upload.ts';

/** A video, in the same format for every platform. */
export type VideoModule = z.output<typeof videoModuleSchema>;

/** A search, and the requested page. */
export interface VideoQuery {
  query: string;
  page: number;
  per_page: number;
}

export interface VideoPage {
  data: VideoModule[];
  last_page: number;
}

/** A video platform. */
export interface VideoProvider {
  /** Videos whose title contains the words, newest first. */
  search(query: VideoQuery): Promise<VideoPage>;
  /**
   * A video.
   * @throws ApiError not_found
   */
  read(id: string): Promise<VideoModule>;
  /** Uploads a video to the platform. */
  upload(file: Upload): Promise<VideoModule>;
}

/** A URL if documents accept it; otherwise empty. */
export const safeAddress = (address: string | null | undefined): string => href.safeParse(address ?? '').data ?? '';

/** A platform's text as one line, truncated. */
export const oneLine = (text: string | null | undefined, most = 255): string =>
  (text ?? '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
