import type { Credential, PlatformName } from '../../contract/entities.ts';
import type { Clock } from '../core/clock.ts';
import type { ServerSettings } from '../core/settings.ts';
import { GoogleSignIn } from './google-sign-in.ts';
import { InstagramClient } from './instagram-client.ts';
import { PlatformClient } from './platform-client.ts';
import { YoutubeClient } from './youtube-client.ts';

/** Credentials by platform and name; missing ones are omitted. */
export type Credentials = Record<PlatformName, Partial<Record<Credential, string>>>;

/** An organization's platforms with their clients; null if not configured. */
export interface Platforms {
  youtube: YoutubeClient | null;
  vimeo: PlatformClient | null;
  /** Wowza, and the region of new live streams. */
  wowza: { client: PlatformClient; location: string } | null;
  instagram: InstagramClient | null;
}

/** The platform credentials in the server's settings. */
export const credentialsOfSettings = (settings: ServerSettings): Credentials => ({
  youtube: {
    api_key: settings.YOUTUBE_API_KEY,
    channel_id: settings.YOUTUBE_CHANNEL_ID,
    client_id: settings.YOUTUBE_CLIENT_ID,
    client_secret: settings.YOUTUBE_CLIENT_SECRET,
    refresh_token: settings.YOUTUBE_REFRESH_TOKEN,
  },
  vimeo: { access_token: settings.VIMEO_ACCESS_TOKEN },
  wowza: {
    api_token: settings.WOWZA_API_TOKEN,
    location: settings.WOWZA_API_TOKEN && settings.WOWZA_LOCATION,
  },
  instagram: { client_id: settings.INSTAGRAM_CLIENT_ID, client_secret: settings.INSTAGRAM_CLIENT_SECRET },
});

function youtubeOf(
  { api_key, channel_id, client_id, client_secret, refresh_token }: Credentials['youtube'],
  settings: ServerSettings,
  clock: Clock,
): YoutubeClient | null {
  const account = client_id &&
    client_secret &&
    refresh_token && { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token };
  if (!account && !api_key) return null;
  return new YoutubeClient({
    base: settings.YOUTUBE_URL,
    key: api_key ?? null,
    channel: channel_id ?? null,
    signIn: account ? new GoogleSignIn(settings.GOOGLE_OAUTH_URL, account, clock) : null,
    clock,
  });
}

/** Whether a host is a subdomain; uploads go to some of them. */
const isBelow = (domain: string) => (host: string) => host.endsWith(`.${domain}`);

function vimeoOf({ access_token }: Credentials['vimeo'], { VIMEO_URL }: ServerSettings): PlatformClient | null {
  if (!access_token) return null;
  const accept = 'application/vnd.vimeo.*+json;version=3.4';
  return new PlatformClient({
    name: 'Vimeo',
    base: VIMEO_URL,
    authorize: async () => ({ authorization: `Bearer ${access_token}`, accept }),
    isUploadHost: isBelow('vimeo.com'),
  });
}

function wowzaOf(
  { api_token, location }: Credentials['wowza'],
  { WOWZA_URL, WOWZA_LOCATION }: ServerSettings,
): Platforms['wowza'] {
  if (!api_token) return null;
  const authorize = async () => ({ authorization: `Bearer ${api_token}`, accept: 'application/json' });
  const client = new PlatformClient({ name: 'Wowza', base: WOWZA_URL, authorize });
  return { client, location: location ?? WOWZA_LOCATION };
}

function instagramOf(
  { client_id, client_secret }: Credentials['instagram'],
  settings: ServerSettings,
  origin: string | null,
): InstagramClient | null {
  if (!client_id || !client_secret || origin === null) return null;
  return new InstagramClient({
    clientId: client_id,
    clientSecret: client_secret,
    redirectUri: `${origin}/admin/settings/feed`,
    authorizeUrl: settings.INSTAGRAM_AUTHORIZE_URL,
    apiUrl: settings.INSTAGRAM_URL,
    graphUrl: settings.INSTAGRAM_GRAPH_URL,
  });
}

/**
 * Creates the platforms for these credentials. Sends no requests, and shares no state.
 * @param origin origin of the organization's site, for redirects from platforms; null if unknown
 */
export const createPlatforms = (
  { youtube, vimeo, wowza, instagram }: Credentials,
  settings: ServerSettings,
  clock: Clock,
  origin: string | null,
): Platforms => ({
  youtube: youtubeOf(youtube, settings, clock),
  vimeo: vimeoOf(vimeo, settings),
  wowza: wowzaOf(wowza, settings),
  instagram: instagramOf(instagram, settings, origin),
});
