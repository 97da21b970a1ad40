import { z } from 'zod';
import { PlatformClient } from './platform-client.ts';

export interface InstagramOptions {
  clientId: string;
  clientSecret: string;
  /** Our page to which Instagram redirects the browser. */
  redirectUri: string;
  authorizeUrl: string;
  apiUrl: string;
  graphUrl: string;
}

/** A token of an Instagram account, and its lifetime in seconds. */
export interface InstagramToken {
  token: string;
  seconds: number;
}

const shortToken = z.object({ access_token: z.string().min(1) });
/** Newer responses wrap the short-lived token in a list. */
const exchanged = z.union([
  shortToken,
  z.object({ data: z.array(shortToken).min(1) }).transform(({ data }) => data[0]!),
]);
const longToken = z
  .object({ access_token: z.string().min(1), expires_in: z.number().positive() })
  .transform(({ access_token, expires_in }): InstagramToken => ({ token: access_token, seconds: expires_in }));

const mediaSchema = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      caption: z.string().optional(),
      media_type: z.string().optional(),
      media_url: z.string().optional(),
      thumbnail_url: z.string().optional(),
      permalink: z.string().optional(),
      timestamp: z.string().optional(),
      username: z.string().optional(),
    }),
  ),
});
/** A post of an Instagram account. */
export type InstagramPost = z.output<typeof mediaSchema>['data'][number];

const MEDIA_FIELDS = 'id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,username';

/**
 * Client of the Instagram API with Instagram Login:
 * https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 */
export class InstagramClient {
  readonly #options: InstagramOptions;
  readonly #api: PlatformClient;
  readonly #graph: PlatformClient;

  constructor(options: InstagramOptions) {
    this.#options = options;
    const authorize = async () => ({});
    this.#api = new PlatformClient({ name: 'Instagram', base: options.apiUrl, authorize });
    this.#graph = new PlatformClient({ name: 'Instagram', base: options.graphUrl, authorize });
  }

  /** The URL at which the user authorizes the feed. */
  authorization(state: string): string {
    const { authorizeUrl, clientId, redirectUri } = this.#options;
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'instagram_business_basic',
      state,
    });
    return `${authorizeUrl}/oauth/authorize?${query}`;
  }

  /**
   * Exchanges a redirect's code for a token: first one for an hour, then one for two months.
   * @throws ApiError provider_failed or provider_busy
   */
  async connect(code: string): Promise<InstagramToken> {
    const { clientId, clientSecret, redirectUri } = this.#options;
    const { access_token } = await this.#api.json(exchanged, {
      method: 'POST',
      path: '/oauth/access_token',
      form: {
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        // Instagram appends this to the URL, and browsers may pass it on.
        code: code.replace(/#_$/, ''),
      },
    });
    return this.#graph.json(longToken, {
      path: '/access_token',
      query: { grant_type: 'ig_exchange_token', client_secret: clientSecret, access_token },
    });
  }

  /** Extends a valid token by two months. */
  refresh(token: string): Promise<InstagramToken> {
    return this.#graph.json(longToken, {
      path: '/refresh_access_token',
      query: { grant_type: 'ig_refresh_token', access_token: token },
    });
  }

  /** The account's newest posts. */
  async posts(token: string, limit: number): Promise<InstagramPost[]> {
    const { data } = await this.#graph.json(mediaSchema, {
      path: '/me/media',
      query: { fields: MEDIA_FIELDS, limit, access_token: token },
    });
    return data;
  }
}
