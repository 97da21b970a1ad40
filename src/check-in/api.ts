import type { z } from 'zod';
import type { Calls } from '../contract/calls.ts';
import { ApiError, type ErrorBody } from '../contract/errors.ts';

type CheckIn = Calls['checkIn'];
type Output<N extends keyof CheckIn> = z.output<CheckIn[N]['output']>;

/** Timeout of a request in milliseconds: an entrance can't wait longer. */
const TIMEOUT = 8000;

/** Requests of the check-in page, without the schemas of the API. */
export class CheckInApi {
  readonly #token: string;

  /** @param token token of the link */
  constructor(token: string) {
    this.#token = token;
  }

  /** @throws ApiError if the server refuses; another error without a connection */
  async #send<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`/api/v1/check-in${path}`, {
      headers: { authorization: `Bearer ${this.#token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const answer: unknown = await response.json();
    if (response.ok) return (answer as { data: T }).data;
    const { code, msg } = answer as ErrorBody;
    throw new ApiError(code, msg);
  }

  guests = (): Promise<Output<'guests'>> => this.#send('');
  find = (token: string): Promise<Output<'find'>> => this.#send('/find', { token });
  checkIn = (id: number, at: string): Promise<Output<'checkIn'>> => this.#send(`/guests/${id}/check-in`, { at });
  undo = (id: number, checked_in_at: string): Promise<Output<'undo'>> =>
    this.#send(`/guests/${id}/undo`, { checked_in_at });
}
