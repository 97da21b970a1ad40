/** Platforms of live streams, as in elements. */
export const STREAM_TYPES = ['vimeo', 'vimeo_live', 'wowza_live', 'youtube_live'] as const;
