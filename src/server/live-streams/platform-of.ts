import type { LiveStreamType } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Services } from '../services.ts';
import type { LivePlatform } from './live-platform.ts';
import { vimeoRecurring, vimeoSingle } from './platforms/vimeo-live.ts';
import { wowzaLive } from './platforms/wowza.ts';
import { youtubeLive } from './platforms/youtube-live.ts';

/**
 * The platform of a kind of live stream.
 * @throws ApiError not_set_up
 */
export function platformOf({ outgoing, settings, clock }: Services, type: LiveStreamType): LivePlatform {
  const { wowza, youtube, vimeo } = outgoing;
  if (type === 'wowza_live' && wowza) return wowzaLive(wowza, settings.WOWZA_LOCATION);
  if (type === 'youtube_live' && youtube) return youtubeLive(youtube, clock);
  if (type === 'vimeo' && vimeo) return vimeoSingle(vimeo);
  if (type === 'vimeo_live' && vimeo) return vimeoRecurring(vimeo);
  throw new ApiError('not_set_up');
}
