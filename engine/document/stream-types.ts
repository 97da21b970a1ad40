/** Platforms of live streams, as elements name them. */
export const STREAM_TYPES = ['vimeo', 'vimeo_live', 'wowza_live', 'youtube_live'] as const;
