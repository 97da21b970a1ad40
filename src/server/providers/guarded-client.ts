import { lookup } from 'node:dns/promises';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { ApiError } from '../../contract/errors.ts';
import { type Allowed, guardedLookup, RefusedAddress, type Resolve, refusePrivateHost } from './address-guard.ts';
import { ACCEPTED_ENCODINGS, readCapped, TooLarge } from './read-capped.ts';

/** Most redirects that are followed. */
export const MAX_REDIRECTS = 3;
/** Most bytes of a body, unpacked. */
export const MAX_FETCHED_BYTES = 10 * 1024 * 1024;
/** Milliseconds that all of a request may take. */
export const TOTAL_TIME = 10_000;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What stands behind an address. */
export interface Fetched {
  /** Where it was found, behind all redirects. */
  url: string;
  /** Its `Content-Type`; empty where none was given. */
  type: string;
  body: Buffer;
}

export interface GuardOptions {
  /** Asks for the addresses of a name; the system's own resolver when left out. */
  resolve?: Resolve;
  /** Addresses with their port that may be connected to although they are private, such as `127.0.0.1:4000`. */
  allowed?: readonly string[];
  /** Milliseconds for everything together: names, connections, redirects and the body; those of `TOTAL_TIME` when left out. */
  time?: number;
}

const systemResolve: Resolve = (host) => lookup(host, { all: true });

/** Errors of connecting stand inside one another, or beside one another where several addresses were tried. */
function* causesOf(error: unknown): Generator<unknown> {
  yield error;
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causesOf(inner);
  if (error instanceof Error && error.cause) yield* causesOf(error.cause);
}

function sentenceOf(error: unknown, time: number): string {
  const causes = [...causesOf(error)];
  const is = (kind: new (...args: never[]) => Error) => causes.some((cause) => cause instanceof kind);
  if (is(RefusedAddress)) return 'This address does not lead to the public internet. Use a public one.';
  if (is(TooLarge)) return `What stands there is larger than ${MAX_FETCHED_BYTES / 1024 / 1024} MB. Use a smaller one.`;
  if (causes.some((cause) => cause instanceof Error && cause.name === 'TimeoutError'))
    return `It was not there within ${time / 1000} seconds. Try again, or use another address.`;
  return 'It could not be read from there. Check the address and try again.';
}

/**
 * Reads what stands behind addresses that people enter. It connects to the public internet only: by the address that a
 * name stands for at the moment of connecting, for the first address and for each redirect.
 */
export class GuardedClient {
  readonly #resolve: Resolve;
  readonly #allowed: Allowed;
  readonly #time: number;
  readonly #dispatcher: Dispatcher;

  constructor({ resolve = systemResolve, allowed = [], time = TOTAL_TIME }: GuardOptions = {}) {
    this.#resolve = resolve;
    this.#allowed = new Set(allowed);
    this.#time = time;
    // No connection is used twice, so none outlives the check of its address.
    this.#dispatcher = new Agent({
      pipelining: 0,
      headersTimeout: time,
      bodyTimeout: time,
      connect: (options, callback) => this.#connect(options, callback),
    });
  }

  /**
   * Reads what stands behind an address.
   * @param accept media types that are asked for
   * @param field input field that the address came in; an error names it
   * @throws ApiError invalid, whatever goes wrong: the address is what the caller can change
   */
  async get(address: string, accept: string, field: string): Promise<Fetched> {
    const signal = AbortSignal.timeout(this.#time);
    try {
      let url = this.#check(address);
      for (let redirects = 0; ; redirects++) {
        const headers = { accept, 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': 'Enfilade' };
        const answer = await request(url, { dispatcher: this.#dispatcher, signal, headers });
        const location = textOf(answer.headers.location);
        if (!REDIRECTS.has(answer.statusCode) || !location) return await this.#read(url, answer, field);
        discard(answer.body);
        if (redirects === MAX_REDIRECTS)
          throw new ApiError('invalid', { [field]: [`It leads on more than ${MAX_REDIRECTS} times.`] });
        url = this.#check(location, url);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError('invalid', { [field]: [sentenceOf(signal.aborted ? signal.reason : error, this.#time)] });
    }
  }

  /** Whether an address was allowed by name although it is private. */
  isAllowed = ({ hostname, port, protocol }: URL): boolean =>
    this.#allowed.has(`${hostname}:${portOf({ port, protocol })}`);

  /**
   * Sends a request and gives whatever is answered, of `most` bytes; redirects are not followed.
   * @throws RefusedAddress, or what the connection fails with
   */
  async send(
    address: string,
    {
      method,
      headers,
      body,
      most = MAX_FETCHED_BYTES,
    }: { method: string; headers: Record<string, string>; body: string | undefined; most?: number },
  ): Promise<Response> {
    const answer = await request(this.#check(address), {
      dispatcher: this.#dispatcher,
      signal: AbortSignal.timeout(this.#time),
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
    });
    const { 'content-encoding': encoding, ...others } = answer.headers;
    const bytes = await readCapped(answer.body, textOf(encoding), most);
    const plain = Object.entries(others).map(([name, value]): [string, string] => [name, [value ?? ''].flat().join()]);
    const isEmpty = bytes.length === 0 || answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status: answer.statusCode, headers: plain });
  }

  async #read(url: URL, { statusCode, headers, body }: Dispatcher.ResponseData, field: string): Promise<Fetched> {
    if (statusCode !== 200) {
      discard(body);
      throw new ApiError('invalid', { [field]: [`The answer from there is ${statusCode}. Check the address.`] });
    }
    const bytes = await readCapped(body, textOf(headers['content-encoding']), MAX_FETCHED_BYTES);
    return { url: url.href, type: textOf(headers['content-type']), body: bytes };
  }

  #check(address: string, base?: URL): URL {
    const url = URL.parse(address, base?.href);
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
      throw new RefusedAddress(address);
    refusePrivateHost(url.hostname, portOf(url), this.#allowed);
    return url;
  }

  #connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const port = portOf(options);
    try {
      // An IP address is connected to without a lookup.
      refusePrivateHost(options.hostname, port, this.#allowed);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const connect = buildConnector({
      timeout: this.#time,
      lookup: guardedLookup(this.#resolve, port, this.#allowed),
    });
    connect(options, callback);
  }
}

const portOf = ({ port, protocol }: { port: string; protocol: string }): number =>
  Number(port || (protocol === 'https:' ? 443 : 80));

const textOf = (header: string | string[] | undefined): string => [header ?? ''].flat()[0] ?? '';

/** Ends an answer whose body is not wanted. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
