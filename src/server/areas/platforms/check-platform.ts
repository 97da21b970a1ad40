import { z } from 'zod';
import type { PlatformCheck, PlatformName } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import type { PlatformClient } from '../../providers/platform-client.ts';
import type { Platforms } from '../../providers/platforms.ts';
import { oneLine } from '../../providers/videos/provider.ts';
import type { YoutubeClient } from '../../providers/youtube-client.ts';

const channelsSchema = z.object({ items: z.array(z.object({ snippet: z.object({ title: z.string() }) })).default([]) });
const CHANNELS = '/youtube/v3/channels';

/** https://developers.google.com/youtube/v3/docs/channels/list */
async function youtubeSays(client: YoutubeClient): Promise<string> {
  const { isOwner, channel } = client;
  // Without a channel any call will do that costs little: the names of languages.
  if (!isOwner && channel === null) {
    await client.send({ path: '/youtube/v3/i18nLanguages', query: { part: 'snippet' } });
    return 'YouTube takes the API key. Public videos of all of YouTube are found.';
  }
  const whose = isOwner ? { mine: true } : { id: channel! };
  const { items } = await client.json(channelsSchema, { path: CHANNELS, query: { part: 'snippet', ...whose } });
  const title = oneLine(items[0]?.snippet.title);
  if (title)
    return isOwner
      ? `Signed in to YouTube as “${title}”.`
      : `YouTube takes the API key. Videos of “${title}” are found.`;
  throw new ApiError(
    'not_found',
    isOwner
      ? 'YouTube lets us in, but this account has no channel.'
      : 'YouTube takes the API key, but has no channel with this ID.',
  );
}

/** https://developer.vimeo.com/api/reference/users#get_user */
async function vimeoSays(client: PlatformClient): Promise<string> {
  const { name } = await client.json(z.object({ name: z.string() }), { path: '/me', query: { fields: 'name' } });
  return `Signed in to Vimeo as “${oneLine(name)}”.`;
}

async function wowzaSays({ client, location }: NonNullable<Platforms['wowza']>): Promise<string> {
  const schema = z.object({ live_streams: z.array(z.unknown()) });
  await client.json(schema, { path: '/api/v2.0/live_streams', query: { page: 1, per_page: 1 } });
  return `Wowza takes the token. New live streams run in ${location}.`;
}

/** Only a redirect brings a code that Instagram takes; what it says of another one tells whether it knows the app. */
async function instagramSays(client: InstagramClient): Promise<string> {
  const known = 'Instagram knows this app. Whether it lets feeds in shows when the first one is allowed.';
  try {
    await client.connect('check');
    return known;
  } catch (error) {
    if (error instanceof ApiError && /\bcode\b/i.test(error.message)) return known;
    throw error;
  }
}

/** Asks a platform with an organization's credentials, and says in words what came of it. */
export async function checkPlatform(platforms: Platforms, platform: PlatformName): Promise<PlatformCheck> {
  const { youtube, vimeo, wowza, instagram } = platforms;
  const ask = {
    youtube: () => youtube && youtubeSays(youtube),
    vimeo: () => vimeo && vimeoSays(vimeo),
    wowza: () => wowza && wowzaSays(wowza),
    instagram: () => instagram && instagramSays(instagram),
  }[platform];
  try {
    const text = await ask();
    return text ? { works: true, text } : { works: false, text: 'Not enough is set. Enter what is missing.' };
  } catch (error) {
    if (error instanceof ApiError) return { works: false, text: error.message };
    throw error;
  }
}
