import { TOKEN_ORDERS } from '../../contract/calls/access-tokens.ts';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import { type AccessToken, type Endpoint, TOKEN_STATES } from '../../contract/entities.ts';
import { AreaStore } from '../stores/area-store.ts';
import { chosenOrder } from '../stores/chosen-order.ts';
import { offerUndo } from '../stores/offer-undo.ts';

const MINUTE = 60_000;

/** What the form of an access token edits. */
export interface TokenDraft {
  /** Read only: made up by the server for a new one. */
  token: string;
  endpoint_id: number | null;
  valid_from: string | null;
  valid_till: string | null;
  valid_duration: number | null;
}

const tokenDraftOf = (token: AccessToken | null): TokenDraft => ({
  token: token?.token ?? '',
  endpoint_id: token?.endpoint_id ?? null,
  valid_from: token?.valid_from ?? null,
  valid_till: token?.valid_till ?? null,
  valid_duration: token?.valid_duration ?? null,
});

/** Fields as a call takes them. */
function tokenBodyOf({ token: _token, endpoint_id, ...validity }: TokenDraft) {
  return { ...validity, endpoint_id: endpoint_id! };
}

/**
 * What a token is added with that opens the same for as long. An end that the first use has set is not taken over: the new
 * one has not been used.
 */
export function anotherOf({ endpoint_id, valid_from, valid_till, valid_duration, first_used_at }: AccessToken) {
  const ends = first_used_at && valid_duration && Date.parse(first_used_at) + valid_duration * MINUTE;
  const isByUse = valid_till !== null && Date.parse(valid_till) === ends;
  return { endpoint_id, valid_from, valid_till: isByUse ? null : valid_till, valid_duration };
}

/** What narrows the list, from the address, where anything can stand. */
function filtersOf(filters: Readonly<Record<string, string>> = {}) {
  const endpoint_id = Number(filters.endpoint) || undefined;
  const sort = chosenOrder(TOKEN_ORDERS, filters);
  return {
    endpoint_id,
    state: TOKEN_STATES.find((name) => name === filters.state),
    // By themselves, only the tokens of one structure can be ordered.
    sort: endpoint_id === undefined && sort?.endsWith('token') ? undefined : sort,
  };
}

/** The access tokens of protected structures. */
export class AccessTokensStore extends AreaStore<AccessToken, AccessToken, TokenDraft> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, per_page, filters }) =>
        client.accessTokens.list({ query: { search, page, per_page, ...filtersOf(filters) } }),
      selects: { most: 10_000, per_page: 1000 },
      read: (id) => client.accessTokens.read({ params: { id } }),
      create: (draft) => client.accessTokens.create({ body: tokenBodyOf(draft) }),
      update: (id, draft, updated_at) =>
        client.accessTokens.update({ params: { id }, body: { ...tokenBodyOf(draft), updated_at } }),
      remove: (id) => client.accessTokens.remove({ params: { id } }),
      bin: { client, entity: 'access_token' },
      draftOf: tokenDraftOf,
      schema: calls.accessTokens.create.body.omit({ token: true }).loose(),
    });
    this.#client = client;
  }

  /** @throws ApiError with the server's sentences */
  async createMany(body: Parameters<Client['accessTokens']['createMany']>[0]['body']): Promise<void> {
    await this.#client.accessTokens.createMany({ body });
    await this.load();
  }

  /**
   * Removes tokens with one call: all of them or none.
   * @throws ApiError with the server's sentences
   */
  override async removeMany(ids: readonly number[]): Promise<string[]> {
    await this.#client.accessTokens.removeMany({ body: { ids: [...ids] } });
    await this.load();
    // The bin has what one call removed as one entry, under the first of them.
    void offerUndo(this.#client, 'access_token', ids.slice(0, 1), () => this.load());
    return [];
  }

  /**
   * Imports a CSV of access tokens into a structure.
   * @throws ApiError with the lines that cannot be
   */
  async importFile(endpointId: number, file: File) {
    const report = await this.#client.accessTokens.importFile({
      params: { id: endpointId },
      body: {},
      files: { access_tokens_file: file },
    });
    await this.load();
    return report;
  }
}

/** A structure by its way from the top. */
export interface NamedEndpoint {
  id: number;
  name: string;
  /** Address of its image; null for none. */
  poster?: string | null;
}

const named = (endpoints: readonly Endpoint[], above = ''): NamedEndpoint[] =>
  endpoints.flatMap(({ id, name, poster_url, children }) => [
    { id, name: above + name, poster: poster_url },
    ...named(children, `${above}${name} / `),
  ]);

/** Structures whose names contain the words, each with its way from the top. */
export const findEndpoints =
  (client: Client) =>
  async (search: string): Promise<NamedEndpoint[]> =>
    named(await client.endpoints.list({ query: search ? { search } : {} })).slice(0, 200);
