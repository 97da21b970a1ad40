import { type Reply, type Seen, StandIn } from './stand-in.ts';

/** Settings of the server. */
export const INSTAGRAM = {
  INSTAGRAM_CLIENT_ID: 'app-7f',
  INSTAGRAM_CLIENT_SECRET: 'app-secret-7f',
  PUBLIC_URL: 'https://rooms.example.com',
};

/** Redirect URI registered with Instagram. */
export const REDIRECT_URI = 'https://rooms.example.com/admin/settings/feed';

/** Lifetime of a long-lived token in seconds: sixty days. */
export const LONG = 60 * 24 * 60 * 60;

/** Instagram API with Instagram Login, as far as the server uses it. */
export class InstagramStandIn extends StandIn {
  posts: Record<string, string | undefined>[] = [];
  /** Valid authorization codes. */
  codes = new Set<string>();
  /** Redirect URI of the app. */
  redirectUri = REDIRECT_URI;
  /** The valid long-lived token. */
  token = '';
  #short = '';
  #count = 0;

  protected override error(status: number, _reason: string, message: string): Reply {
    return { status, json: { error: { message, type: 'OAuthException', code: status === 401 ? 190 : 100 } } };
  }

  protected override answer(seen: Seen): Reply {
    const { method, path, query } = seen;
    switch (`${method} ${path}`) {
      case 'POST /oauth/access_token':
        return this.#exchange(Object.fromEntries(new URLSearchParams(seen.body.toString())));
      case 'GET /access_token':
        if (query.grant_type !== 'ig_exchange_token' || query.client_secret !== INSTAGRAM.INSTAGRAM_CLIENT_SECRET)
          return this.refuse('ig_exchange_token');
        return query.access_token === this.#short ? this.#long() : this.#ended();
      case 'GET /refresh_access_token':
        if (query.grant_type !== 'ig_refresh_token') return this.refuse('ig_refresh_token');
        return query.access_token === this.token ? this.#long() : this.#ended();
      case 'GET /me/media':
        if (!query.fields?.includes('media_url')) return this.refuse('fields');
        return query.access_token === this.token ? { json: { data: this.posts } } : this.#ended();
    }
    return this.refuse(`No such call: ${method} ${path}`);
  }

  #ended(): Reply {
    return {
      status: 400,
      json: { error: { message: 'The access token has ended', type: 'OAuthException', code: 190 } },
    };
  }

  #exchange({ client_id, client_secret, grant_type, redirect_uri, code }: Record<string, string>): Reply {
    if (client_id !== INSTAGRAM.INSTAGRAM_CLIENT_ID)
      return {
        status: 400,
        json: { error_type: 'OAuthException', code: 400, error_message: 'Invalid platform app' },
      };
    const fits =
      client_secret === INSTAGRAM.INSTAGRAM_CLIENT_SECRET &&
      grant_type === 'authorization_code' &&
      redirect_uri === this.redirectUri;
    if (!fits) return this.refuse('authorization_code');
    if (!this.codes.delete(code!))
      return {
        status: 400,
        json: {
          error_type: 'OAuthException',
          code: 400,
          error_message: 'Matching code was not found or was already used',
        },
      };
    this.#short = `short-${++this.#count}-7f`;
    return { json: { data: [{ access_token: this.#short, user_id: '17', permissions: 'instagram_business_basic' }] } };
  }

  #long(): Reply {
    this.token = `long-${++this.#count}-7f`;
    return { json: { access_token: this.token, token_type: 'bearer', expires_in: LONG } };
  }
}
