import type { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { GoogleSignIn } from './google-sign-in.ts';
import { PageTokens } from './page-tokens.ts';
import { PlatformClient, type PlatformRequest, type PlatformResponse } from './platform-client.ts';

export interface YoutubeOptions {
  base: string;
  /** API key: reads public data. */
  key: string | null;
  /** Channel whose videos are listed if there is only a key; null for all of YouTube. */
  channel: string | null;
  /** Signs in as the channel's owner; null if there is only a key. */
  signIn: GoogleSignIn | null;
  clock: Clock;
}

/** YouTube client, authenticated as the channel's owner if configured, otherwise with an API key. */
export class YoutubeClient {
  readonly channel: string | null;
  readonly pages: PageTokens;
  readonly #client: PlatformClient;
  readonly #signIn: GoogleSignIn | null;
  readonly #key: string | null;

  constructor({ base, key, channel, signIn, clock }: YoutubeOptions) {
    this.channel = channel;
    this.pages = new PageTokens(clock);
    this.#signIn = signIn;
    this.#key = key;
    this.#client = new PlatformClient({
      name: 'YouTube',
      base,
      authorize: async (): Promise<Record<string, string>> =>
        signIn ? { authorization: `Bearer ${await signIn.token()}` } : {},
      isUploadHost: (host) => host.endsWith('.googleapis.com'),
    });
  }

  /** Whether the channel is ours, which uploads and broadcasts require. */
  get isOwner(): boolean {
    return this.#signIn !== null;
  }

  /** @throws ApiError not_set_up if there is only a key */
  needOwner(): void {
    if (!this.isOwner)
      throw new ApiError('not_set_up', 'This requires the OAuth credentials of YouTube. An API key is not enough.');
  }

  /** Requests JSON. */
  async json<S extends z.ZodType>(schema: S, asked: PlatformRequest): Promise<z.output<S>> {
    const { json } = await this.send(asked);
    return this.read(schema, json);
  }

  /** Validates a response. */
  read<S extends z.ZodType>(schema: S, json: unknown): z.output<S> {
    return this.#client.read(schema, json);
  }

  /** Sends a request; retries once with a new token if the old one was revoked. */
  async send(asked: PlatformRequest, expected: readonly number[] = []): Promise<PlatformResponse> {
    const query = this.#signIn ? asked.query : { ...asked.query, key: this.#key ?? undefined };
    const signIn = asked.isOpen || asked.stream ? null : this.#signIn;
    const answer = await this.#client.send({ ...asked, query }, signIn ? [...expected, 401] : expected);
    if (!signIn || answer.status !== 401) return answer;
    signIn.forget();
    return this.#client.send({ ...asked, query }, expected);
  }
}
