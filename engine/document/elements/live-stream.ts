import { z } from 'zod';
import { alternativeFields, elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { href, id, line, optional } from '../fields.ts';
import { STREAM_TYPES } from '../stream-types.ts';

/** Platform of a live stream; unknown names mean YouTube. */
const platform = line(64)
  .transform((name) => STREAM_TYPES.find((type) => type === name) ?? 'youtube_live')
  .pipe(z.enum(STREAM_TYPES));

/** A live stream on a plane. */
export const liveStreamElement = elementOf('live_stream', {
  live_stream_id: optional(id).describe('Live stream to show.'),
  type: platform.default('youtube_live').describe('Platform name.'),
  id: line(200).default('').describe('Broadcast ID on the platform.'),
  src: href.default('').describe('HLS URL, if the platform provides one.'),
  muted: z.boolean().default(false).describe('Whether playback starts muted.'),
  fullscreen: z.boolean().default(false).describe('Whether the stream opens as a full page.'),
  ...alternativeFields,
});

export const liveStreamDescriptor: ElementDescriptor = {
  label: 'Live stream',
  description: 'A live broadcast.',
  traits: { hit: 'page', plays: 'live', load: 'panel', press: 'open', sources: ['src'] },
  source: { settings: ['live_stream_id', 'id', 'src'], advice: 'Choose a live stream.' },
};
