import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { ApiError } from '../../contract/errors.ts';
import { type Allowed, guardedLookup, RefusedAddress, type Resolve, refusePrivateHost } from './address-guard.ts';
import { ACCEPTED_ENCODINGS, readCapped, TooLarge } from './read-capped.ts';

/** Maximum number of redirects. */
export const MAX_REDIRECTS = 3;
/** Maximum uncompressed size of a body in bytes. */
export const MAX_FETCHED_BYTES = 10 * 1024 * 1024;
/** Timeout of a whole request in milliseconds. */
export const TOTAL_TIME = 10_000;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A fetched response. */
export interface Fetched {
  /** Final URL after redirects. */
  url: string;
  /** Its `Content-Type`; empty if missing. */
  type: string;
  body: Buffer;
}

export interface GuardOptions {
  /** DNS resolver; the system's by default. */
  resolve?: Resolve;
  /** Allowed private addresses with their port, such as `127.0.0.1:4000`. */
  allowed?: readonly string[];
  /** Timeout in milliseconds for DNS, connections, redirects and the body together; `TOTAL_TIME` by default. */
  time?: number;
}

const systemResolve: Resolve = (host) => lookup(host, { all: true });

/** Connection errors are nested as causes, and aggregated if several addresses were tried. */
function* causesOf(error: unknown): Generator<unknown> {
  yield error;
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causesOf(inner);
  if (error instanceof Error && error.cause) yield* causesOf(error.cause);
}

function sentenceOf(error: unknown, time: number): string {
  const causes = [...causesOf(error)];
  const is = (kind: new (...args: never[]) => Error) => causes.some((cause) => cause instanceof kind);
  if (is(RefusedAddress)) return "This URL doesn't resolve to a public IP address. Use a public one.";
  if (is(TooLarge))
    return `The file at this URL is larger than ${MAX_FETCHED_BYTES / 1024 / 1024} MB. Use a smaller one.`;
  if (causes.some((cause) => cause instanceof Error && cause.name === 'TimeoutError'))
    return `The request timed out after ${time / 1000} seconds. Try again, or use another URL.`;
  return "The URL couldn't be fetched. Check it and try again.";
}

/**
 * Fetches URLs entered by users. It connects only to the public internet: each resolved address is checked when
 * connecting, for the first URL and for each redirect.
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
    // Connections aren't reused, so none outlives the check of its address.
    this.#dispatcher = new Agent({
      pipelining: 0,
      headersTimeout: time,
      bodyTimeout: time,
      connect: (options, callback) => this.#connect(options, callback),
    });
  }

  /**
   * Fetches a URL.
   * @param accept accepted media types
   * @param field input field of the URL, for errors
   * @throws ApiError invalid, whatever fails: the URL is what the caller can change
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
          throw new ApiError('invalid', { [field]: [`The URL redirects more than ${MAX_REDIRECTS} times.`] });
        url = this.#check(location, url);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError('invalid', { [field]: [sentenceOf(signal.aborted ? signal.reason : error, this.#time)] });
    }
  }

  /** Whether a private address was explicitly allowed. */
  isAllowed = ({ hostname, port, protocol }: URL): boolean =>
    this.#allowed.has(`${hostname}:${portOf({ port, protocol })}`);

  /**
   * Rejects a URL that leads to no public address now. Names that can't be resolved pass: this may change.
   * @param field input field of the URL, for errors
   * @throws ApiError invalid
   */
  async requirePublic(address: string, field: string): Promise<void> {
    try {
      const url = this.#check(address);
      if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return;
      const lookup = guardedLookup(this.#resolve, portOf(url), this.#allowed);
      await new Promise<void>((resolve, reject) => {
        lookup(url.hostname, { all: true }, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      if (error instanceof RefusedAddress) throw new ApiError('invalid', { [field]: [sentenceOf(error, this.#time)] });
    }
  }

  /**
   * The address of a host for a connection other than HTTP; the first one, if it has several public ones.
   * @throws RefusedAddress if any is private, or the error of the name lookup
   */
  publicAddressOf({ host, port }: { host: string; port: number }): Promise<string> {
    return new Promise((resolve, reject) => {
      guardedLookup(this.#resolve, port, this.#allowed)(host, {}, (error, address) => {
        if (error) reject(error);
        else resolve(address as string);
      });
    });
  }

  /**
   * Rejects a host without a public address, like `requirePublic`.
   * @throws ApiError invalid
   */
  async requirePublicHost(target: { host: string; port: number }, field: string): Promise<void> {
    await this.publicAddressOf(target).catch((error: unknown) => {
      if (error instanceof RefusedAddress)
        throw new ApiError('invalid', {
          [field]: ["This host doesn't resolve to a public IP address. Use a public one."],
        });
    });
  }

  /**
   * Sends a request and returns any response, up to `most` bytes; redirects are not followed.
   * @param options.time timeout in milliseconds
   * @throws RefusedAddress, or the connection's error
   */
  async send(
    address: string,
    {
      method,
      headers,
      body,
      most = MAX_FETCHED_BYTES,
      time = this.#time,
    }: { method: string; headers: Record<string, string>; body: string | undefined; most?: number; time?: number },
  ): Promise<Response> {
    const answer = await request(this.#check(address), {
      dispatcher: this.#dispatcher,
      signal: AbortSignal.timeout(time),
      headersTimeout: time,
      bodyTimeout: time,
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
      throw new ApiError('invalid', { [field]: [`The URL returned status ${statusCode}. Check it.`] });
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
      // IP addresses skip the lookup, so they are checked here.
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

/** Discards a response's body. */
function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
