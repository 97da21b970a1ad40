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
  live_stream_id: optional(id).describe('Live stream of this organization.'),
  type: platform.default('youtube_live').describe('Platform.'),
  id: line(200).default('').describe('Id of the broadcast on its platform.'),
  src: href.default('').describe('HLS address where the platform gives one.'),
  muted: z.boolean().default(false).describe('Whether it starts muted.'),
  fullscreen: z.boolean().default(false).describe('Whether it opens over the whole page.'),
  ...alternativeFields,
});

export const liveStreamDescriptor: ElementDescriptor = {
  label: 'Live stream',
  description: 'A live broadcast.',
  traits: { hit: 'page', plays: 'live', load: 'panel', press: 'open', sources: ['src'] },
  source: { settings: ['live_stream_id', 'id', 'src'], advice: 'Choose a live stream.' },
};
