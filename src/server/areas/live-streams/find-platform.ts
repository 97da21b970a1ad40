import type { LiveStreamType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { LivePlatform } from '../../providers/live/live-platform.ts';
import { vimeoRecurring, vimeoSingle } from '../../providers/live/vimeo-live.ts';
import { wowzaLive } from '../../providers/live/wowza.ts';
import { youtubeLive } from '../../providers/live/youtube-live.ts';
import type { CallContext } from '../../store/call-context.ts';

/**
 * The platform of a kind of live stream, with the organization's own account.
 * @throws ApiError not_set_up
 */
export async function findPlatform(
  { outgoing, organizationId, clock }: CallContext,
  type: LiveStreamType,
): Promise<LivePlatform> {
  const { wowza, youtube, vimeo } = await outgoing.of(organizationId);
  if (type === 'wowza_live' && wowza) return wowzaLive(wowza.client, wowza.location);
  if (type === 'youtube_live' && youtube) return youtubeLive(youtube, clock);
  if (type === 'vimeo' && vimeo) return vimeoSingle(vimeo);
  if (type === 'vimeo_live' && vimeo) return vimeoRecurring(vimeo);
  throw new ApiError('not_set_up');
}
