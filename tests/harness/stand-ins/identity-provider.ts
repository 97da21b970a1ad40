import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** An account of the provider. */
interface Person {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** The client that organizations configure. */
export const CLIENT = { client_id: 'enfilade', client_secret: 'a secret of the identity provider' };

/** A real OpenID Connect provider on a local port, which signs in the chosen account without asking. */
export class IdentityProvider {
  /** Accounts by subject. */
  readonly people = new Map<string, Person>();
  /** The account that signs in next; null cancels the sign-in. */
  account: string | null = null;
  #server!: Server;
  #provider!: Provider;

  /** Starts listening, without any allowed redirect URI. */
  async start(): Promise<this> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Adds an allowed redirect URI. */
  allow(redirectUri: string): this {
    this.#provider = new Provider(this.issuer, {
      clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
      cookies: { keys: ['a key of the stand-in'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.people.get(accountId) }),
      }),
    });
    this.#provider.on('server_error', (_context, error) => console.error(error));
    return this;
  }

  /** Issuer URL. */
  get issuer(): string {
    return `http://${this.address}`;
  }

  /** Host and port, in the guard's format. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void this.#provider.callback()(request, response);
    const { params } = await this.#provider.interactionDetails(request, response);
    if (this.account === null) return this.#provider.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new this.#provider.Grant({ accountId: this.account, clientId: String(params.client_id) });
    grant.addOIDCScope('openid email profile');
    const result = { login: { accountId: this.account, remember: false }, consent: { grantId: await grant.save() } };
    return this.#provider.interactionFinished(request, response, result);
  }

  /**
   * Acts as the browser: signs an account in, and follows redirects back to the client.
   * @returns the parameters of the final URL
   */
  async visit(url: string, account: string | null): Promise<Record<string, string>> {
    this.account = account;
    const cookies = new Map<string, string>();
    let next = new URL(url);
    while (next.origin === this.issuer) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const text of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
        cookies.set(name!, value!);
      }
      const location = answer.headers.get('location');
      if (!location) throw new Error(`${answer.status} at ${next}: ${(await answer.text()).slice(0, 500)}`);
      next = new URL(location, next);
    }
    return Object.fromEntries(next.searchParams);
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
