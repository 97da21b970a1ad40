import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { videoModuleSchema } from '../../../engine/document/video-module.ts';
import { call } from '../call.ts';

/** Platforms with videos. */
export const VIDEO_PROVIDERS = ['youtube', 'vimeo', 'local'] as const;
export type VideoProvider = (typeof VIDEO_PROVIDERS)[number];

/** Videos per page. */
export const VIDEO_PAGE = 12;

const provider = z.enum(VIDEO_PROVIDERS).describe('Platform.');
const platform = ['not_set_up', 'provider_failed', 'provider_busy'] as const;

/** Videos of the configured platforms. */
export const videos = {
  search: call({
    method: 'POST',
    path: '/backend/videos/:provider/search',
    summary: 'Videos of a platform, newest first.',
    access: 'media.view_any',
    params: z.object({ provider }),
    body: z.strictObject({
      query: line(200).default('').describe('Words that the title contains; empty for all.'),
      page: z.int().min(1).max(100_000).default(1).describe('Page, from 1.'),
      per_page: z.int().min(1).max(50).default(VIDEO_PAGE).describe('Videos on a page.'),
    }),
    output: z.object({ data: z.array(videoModuleSchema), last_page: z.int() }),
    errors: platform,
  }),
  upload: call({
    method: 'POST',
    path: '/backend/videos/:provider',
    summary: 'Sends a video to a platform; it is playable when the platform has processed it.',
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
    summary: 'One video.',
    access: 'media.view_any',
    params: z.object({ provider, id: line(200).min(1).describe('Id on the platform.') }),
    output: videoModuleSchema,
    errors: platform,
  }),
};
