import type { z } from 'zod';
import type { Calls } from '../contract/calls.ts';
import { ApiError, type ErrorBody } from '../contract/errors.ts';

type CheckIn = Calls['checkIn'];
type Output<N extends keyof CheckIn> = z.output<CheckIn[N]['output']>;

/** The guests of a link. */
export type GuestsAnswer = Output<'guests'>;

/** Timeout of a request in milliseconds: an entrance can't wait longer. */
const TIMEOUT = 8000;

// biome-ignore lint/nursery/noJsRestrictedProperties: the wall clock keeps running during sleep.
const phoneTime = () => Date.now();

/** Requests of the check-in page, without the schemas of the API. */
export class CheckInApi {
  readonly #token: string;
  /** The last guest list, which the server sends only if it has changed. */
  #list: { tag: string | null; guests: Output<'guests'> } | null = null;
  /** Milliseconds by which the server's clock is ahead of the phone's. */
  #ahead = 0;

  /** @param token token of the link */
  constructor(token: string) {
    this.#token = token;
  }

  /** The server's time. Clocks of phones may be wrong. */
  now = (): Date => new Date(phoneTime() + this.#ahead);

  /** @throws another error than ApiError without a connection */
  async #fetch(path: string, headers: Record<string, string> = {}, body?: object): Promise<Response> {
    const response = await fetch(`/api/v1/check-in${path}`, {
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#ahead = date - phoneTime();
    return response;
  }

  /** @throws ApiError if the server refuses; another error without a connection */
  async #read<T>(response: Response): Promise<T> {
    const answer: unknown = await response.json();
    if (response.ok) return (answer as { data: T }).data;
    const { code, msg } = answer as ErrorBody;
    throw new ApiError(code, msg);
  }

  async #send<T>(path: string, body: object): Promise<T> {
    return this.#read(await this.#fetch(path, {}, body));
  }

  guests = async (): Promise<Output<'guests'>> => {
    const { tag, guests } = this.#list ?? { tag: null, guests: null };
    const response = await this.#fetch('', tag === null ? {} : { 'if-none-match': tag });
    if (response.status === 304 && guests !== null) return guests;
    const read = await this.#read<Output<'guests'>>(response);
    this.#list = { tag: response.headers.get('etag'), guests: read };
    return read;
  };
  find = (token: string): Promise<Output<'find'>> => this.#send('/find', { token });
  /** @param is_late whether it happened without a connection */
  checkIn = (id: number, at: string, is_late: boolean): Promise<Output<'checkIn'>> =>
    this.#send(`/guests/${id}/check-in`, { at, is_late });
  undo = (id: number, checked_in_at: string): Promise<Output<'undo'>> =>
    this.#send(`/guests/${id}/undo`, { checked_in_at });
}
