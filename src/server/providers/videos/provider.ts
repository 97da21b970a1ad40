import type { z } from 'zod';
import { href } from '../../../../engine/document/fields.ts';
import type { videoModuleSchema } from '../../../../engine/document/video-module.ts';
import type { Upload } from '../../core/files/upload.ts';

/** A video as every platform gives it. */
export type VideoModule = z.output<typeof videoModuleSchema>;

/** What is looked for, and which page of it. */
export interface VideoQuery {
  query: string;
  page: number;
  per_page: number;
}

export interface VideoPage {
  data: VideoModule[];
  last_page: number;
}

/** A platform that videos come from. */
export interface VideoProvider {
  /** Videos whose title contains the words, newest first. */
  search(query: VideoQuery): Promise<VideoPage>;
  /**
   * One video.
   * @throws ApiError not_found
   */
  read(id: string): Promise<VideoModule>;
  /** Sends a video to the platform. */
  upload(file: Upload): Promise<VideoModule>;
}

/** An address of a platform where a document takes it; otherwise none. */
export const safeAddress = (address: string | null | undefined): string => href.safeParse(address ?? '').data ?? '';

/** A text of a platform as one line of at most so many characters. */
export const oneLine = (text: string | null | undefined, most = 255): string =>
  (text ?? '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
