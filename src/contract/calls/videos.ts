import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { videoModuleSchema } from '../../../engine/document/video-module.ts';
import { call } from '../call.ts';

/** Platforms with videos. */
export const VIDEO_PROVIDERS = ['youtube', 'vimeo', 'local'] as const;
export type VideoProvider = (typeof VIDEO_PROVIDERS)[number];

/** Videos per page. */
export const VIDEO_PAGE = 12;

const provider = z.enum(VIDEO_PROVIDERS).describe('Platform name.');
const platform = ['not_set_up', 'provider_failed', 'provider_busy'] as const;

/** Videos of the configured platforms. */
export const videos = {
  search: call({
    method: 'POST',
    path: '/backend/videos/:provider/search',
    summary: 'Lists videos on a platform, newest first.',
    access: 'media.view_any',
    params: z.object({ provider }),
    body: z.strictObject({
      query: line(200).default('').describe('Text contained in the title; empty for all videos.'),
      page: z.int().min(1).max(100_000).default(1).describe('Page number, starting at 1.'),
      per_page: z.int().min(1).max(50).default(VIDEO_PAGE).describe('Number of videos per page.'),
    }),
    output: z.object({ data: z.array(videoModuleSchema), last_page: z.int() }),
    errors: platform,
  }),
  upload: call({
    method: 'POST',
    path: '/backend/videos/:provider',
    summary: 'Uploads a video to a platform. It can be played once the platform has processed it.',
    access: 'media.create',
    params: z.object({ provider }),
    files: ['file'],
    output: videoModuleSchema,
    errors: ['bad_file', 'timeout', ...platform, 'quota'],
    status: 201,
  }),
  read: call({
    method: 'GET',
    path: '/backend/videos/:provider/:id',
    summary: 'Returns a video.',
    access: 'media.view_any',
    params: z.object({ provider, id: line(200).min(1).describe('ID on the platform.') }),
    output: videoModuleSchema,
    errors: platform,
  }),
};
