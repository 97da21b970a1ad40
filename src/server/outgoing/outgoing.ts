import type { Clock } from '../clock.ts';
import type { ServerSettings } from '../settings.ts';
import { GoogleSignIn } from './google-sign-in.ts';
import { GuardedClient, type GuardOptions } from './guarded-client.ts';
import { InstagramClient } from './instagram-client.ts';
import { PlatformClient } from './platform-client.ts';
import { YoutubeClient } from './youtube-client.ts';

/** Everything that the server asks of others. A platform without a key is null. */
export interface Outgoing {
  /** For addresses that people enter. */
  guarded: GuardedClient;
  youtube: YoutubeClient | null;
  vimeo: PlatformClient | null;
  wowza: PlatformClient | null;
  instagram: InstagramClient | null;
}

function youtubeOf(settings: ServerSettings, clock: Clock): YoutubeClient | null {
  const { YOUTUBE_API_KEY, YOUTUBE_CLIENT_ID, YOUTUBE_CLIENT_SECRET, YOUTUBE_REFRESH_TOKEN } = settings;
  const account = YOUTUBE_CLIENT_ID &&
    YOUTUBE_CLIENT_SECRET &&
    YOUTUBE_REFRESH_TOKEN && {
      clientId: YOUTUBE_CLIENT_ID,
      clientSecret: YOUTUBE_CLIENT_SECRET,
      refreshToken: YOUTUBE_REFRESH_TOKEN,
    };
  if (!account && !YOUTUBE_API_KEY) return null;
  return new YoutubeClient({
    base: settings.YOUTUBE_URL,
    key: YOUTUBE_API_KEY ?? null,
    channel: settings.YOUTUBE_CHANNEL_ID ?? null,
    signIn: account ? new GoogleSignIn(settings.GOOGLE_OAUTH_URL, account, clock) : null,
    clock,
  });
}

/** Subdomains of a host; uploads go to some of them. */
const isBelow = (domain: string) => (host: string) => host.endsWith(`.${domain}`);

/** A platform whose key is a bearer token. */
const withToken = (name: string, base: string, token: string | undefined, accept: string, uploads?: string) =>
  token === undefined
    ? null
    : new PlatformClient({
        name,
        base,
        authorize: async () => ({ authorization: `Bearer ${token}`, accept }),
        isUploadHost: uploads === undefined ? undefined : isBelow(uploads),
      });

function instagramOf(settings: ServerSettings): InstagramClient | null {
  const { INSTAGRAM_CLIENT_ID: clientId, INSTAGRAM_CLIENT_SECRET: clientSecret, PUBLIC_URL: publicUrl } = settings;
  if (!clientId || !clientSecret || !publicUrl) return null;
  return new InstagramClient({
    clientId,
    clientSecret,
    redirectUri: `${publicUrl}/admin/settings/feed`,
    authorizeUrl: settings.INSTAGRAM_AUTHORIZE_URL,
    apiUrl: settings.INSTAGRAM_URL,
    graphUrl: settings.INSTAGRAM_GRAPH_URL,
  });
}

/** What the settings let the server ask of others. */
export const createOutgoing = (settings: ServerSettings, clock: Clock, guard?: GuardOptions): Outgoing => ({
  guarded: new GuardedClient(guard),
  youtube: youtubeOf(settings, clock),
  vimeo: withToken(
    'Vimeo',
    settings.VIMEO_URL,
    settings.VIMEO_ACCESS_TOKEN,
    'application/vnd.vimeo.*+json;version=3.4',
    'vimeo.com',
  ),
  wowza: withToken('Wowza', settings.WOWZA_URL, settings.WOWZA_API_TOKEN, 'application/json'),
  instagram: instagramOf(settings),
});
