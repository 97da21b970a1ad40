import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import type { z } from 'zod';
import type { ApiError } from '../../contract/errors.ts';
import { requestIdHeader } from '../core/request-id.ts';
import { PlatformError, platformFailure } from './platform-errors.ts';
import { readCapped } from './read-capped.ts';

/** Response timeout of a platform in milliseconds: shorter than the back-office's timeout for ours. */
const ANSWER_TIME = 8000;
/** Milliseconds without progress after which an upload is aborted. */
const STALLED = 60_000;
/**
 * Maximum response size in bytes: a page of a hundred items has a few hundred thousand. It is parsed in the request
 * thread.
 */
const MAX_PLATFORM_ANSWER = 2 * 1024 * 1024;

/** Query parameters; undefined ones are omitted. */
export type Query = Record<string, string | number | boolean | undefined>;

/** A request to a platform. */
export interface PlatformRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Path below the platform's base URL, or an absolute URL from the platform itself. */
  path: string;
  query?: Query;
  headers?: Record<string, string>;
  /** JSON body. */
  json?: unknown;
  /** Form body. */
  form?: Record<string, string>;
  /** Raw body. */
  stream?: Readable;
  /** Whether to omit our credentials, such as for an upload URL from the platform. */
  isOpen?: boolean;
}

/** A platform's response. */
export interface PlatformResponse {
  status: number;
  headers: Record<string, string>;
  /** The body as JSON; null if it isn't JSON. */
  json: unknown;
}

export interface PlatformOptions {
  /** Display name. */
  name: string;
  /** Base URL, such as https://api.vimeo.com. */
  base: string;
  /** Authorization headers. */
  authorize(): Promise<Record<string, string>>;
  /** Whether a host, besides the platform's own, is used for uploads. */
  isUploadHost?(host: string): boolean;
}

const dispatcher = new Agent({ connect: { timeout: ANSWER_TIME }, headersTimeout: STALLED, bodyTimeout: STALLED });

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Message and reason of an error, in the formats of all platforms. */
function readError(json: unknown): { words: string; reason: string } {
  const body = record(json);
  // Google and Instagram: {error: {message, errors: [{reason}]}}; Wowza: {meta: {code, title, message}}.
  const inner = Object.keys(record(body.error)).length > 0 ? record(body.error) : record(body.meta);
  const [first] = Array.isArray(inner.errors) ? inner.errors : [];
  // Vimeo: {error, developer_message, error_code}; Google's sign-in: {error, error_description}.
  const own = text(body.error_description) || text(body.error_message) || text(body.error);
  return {
    words: text(inner.message) || own,
    reason: text(record(first).reason) || (inner.code ? `code ${inner.code}` : text(body.error)),
  };
}

/** `Retry-After` in seconds or as a date; Vimeo sends a timestamp in its own format instead. */
function readRetryAfter(headers: Record<string, string>): string | null {
  const { 'retry-after': given, 'x-ratelimit-reset': reset } = headers;
  if (given !== undefined && /^[\w ,:+-]{1,40}$/.test(given)) return given;
  const moment = Date.parse(reset ?? '');
  return Number.isNaN(moment) ? null : new Date(moment).toUTCString();
}

/**
 * Client of one platform with the server's own credentials. Its base URL comes from the settings, so it isn't guarded.
 */
export class PlatformClient {
  readonly name: string;
  readonly #options: PlatformOptions;

  constructor(options: PlatformOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /**
   * Requests JSON.
   * @param schema schema of the response
   * @throws ApiError not_found, provider_failed or provider_busy
   */
  async json<S extends z.ZodType>(schema: S, asked: PlatformRequest): Promise<z.output<S>> {
    const { json } = await this.send(asked);
    return this.read(schema, json);
  }

  /** Validates a response. */
  read<S extends z.ZodType>(schema: S, json: unknown): z.output<S> {
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    throw new PlatformError(`${this.name} returned an invalid response.`, '');
  }

  /**
   * Sends a request.
   * @param expected statuses besides 2xx that aren't errors
   * @throws ApiError not_found, provider_failed or provider_busy
   */
  async send(asked: PlatformRequest, expected: readonly number[] = []): Promise<PlatformResponse> {
    const answer = await this.#exchange(asked);
    if ((answer.status >= 200 && answer.status < 300) || expected.includes(answer.status)) return answer;
    throw this.#failure(answer);
  }

  #failure({ status, headers, json }: PlatformResponse): ApiError {
    return platformFailure(this.name, { status, retryAfter: readRetryAfter(headers), ...readError(json) });
  }

  #addressOf({ path, query = {}, isOpen }: PlatformRequest): URL {
    const base = new URL(this.#options.base);
    const url = new URL(path.startsWith('/') ? this.#options.base + path : path);
    const isOwn = url.origin === base.origin;
    const isUpload = isOpen && url.protocol === 'https:' && this.#options.isUploadHost?.(url.hostname);
    if (!isOwn && !isUpload) throw new PlatformError(`${this.name} returned a URL on another host.`, '');
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url;
  }

  async #exchange(asked: PlatformRequest): Promise<PlatformResponse> {
    const { method = 'GET', headers, json, form, stream, isOpen } = asked;
    const authorization = isOpen ? {} : await this.#options.authorize();
    const body = form ? new URLSearchParams(form).toString() : json === undefined ? stream : JSON.stringify(json);
    const type = form ? 'application/x-www-form-urlencoded' : json === undefined ? undefined : 'application/json';
    try {
      const answer = await request(this.#addressOf(asked), {
        dispatcher,
        method,
        // An upload may take as long as it progresses; a response may not.
        signal: stream ? undefined : AbortSignal.timeout(ANSWER_TIME),
        headers: {
          accept: 'application/json',
          ...requestIdHeader(),
          ...(type && { 'content-type': type }),
          ...authorization,
          ...headers,
        },
        body,
      });
      return await readAnswer(answer);
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      // The connection error can contain the URL, and with it a key, so it isn't passed on.
      throw new PlatformError(`${this.name} can't be reached, or the request timed out.`, 'unreachable');
    }
  }
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<PlatformResponse> {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join()]));
  const bytes = await readCapped(body, flat['content-encoding'] ?? '', MAX_PLATFORM_ANSWER);
  let json: unknown = null;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    // An empty body, or a proxy's error page.
  }
  return { status: statusCode, headers: flat, json };
}
