import { ofetch } from 'ofetch';
import type { z } from 'zod';
import { type Call, IDEMPOTENCY_KEY } from './call.ts';
import { API_PREFIX, type Calls, calls } from './calls.ts';
import { ApiError, type ErrorBody, type Messages } from './errors.ts';
import { type CallResponse, sendForm } from './send-form.ts';

/** Timeout of a call in milliseconds; uploads have no timeout. */
const TIMEOUT = 10_000;

/** Input of a call: only the parts that it declares. */
export type CallInput<C extends Call> = (C extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : unknown) &
  (C extends { query: infer Q extends z.ZodType }
    ? {
        query?: z.input<Q>;
        /** Aborts the call. */
        signal?: AbortSignal | undefined;
      }
    : unknown) &
  (C extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : unknown) &
  (C extends { files: readonly (infer F extends string)[] }
    ? {
        files?: Partial<Record<F, File | Blob>>;
        /** Called with the uploaded fraction, from 0 to 1; only in pages with XMLHttpRequest. */
        onProgress?: (fraction: number) => void;
        /** Aborts the upload. */
        signal?: AbortSignal;
      }
    : unknown) &
  (C extends { idempotent: true }
    ? {
        /** Identifies the request, so that a retry isn't executed twice. */
        idempotencyKey?: string;
      }
    : unknown);

/** A page of a list, and its counts. */
export interface Page<T> {
  data: T;
  meta: { total: number; page: number; last_page: number; is_more?: boolean; is_prefix_only?: boolean };
}

/** Result of a call: the response's `data`, including the `report` of calls that have one; for lists, with page counts. */
export type CallOutput<C extends Call> = C extends { paged: true }
  ? Page<z.output<C['output']>>
  : C extends { report: infer R extends z.ZodType }
    ? z.output<C['output']> & { report?: z.output<R> }
    : z.output<C['output']>;

type Method<C extends Call> = (
  ...args: keyof CallInput<C> extends never
    ? []
    : object extends CallInput<C>
      ? [input?: CallInput<C>]
      : [input: CallInput<C>]
) => Promise<CallOutput<C>>;

/** A method for every call in the table. */
export type Client = {
  [A in keyof Calls]: { [N in keyof Calls[A]]: Calls[A][N] extends Call ? Method<Calls[A][N]> : never };
};

export interface ClientOptions {
  /** Origin of the server, such as https://rooms.example.com; empty for the page's own. */
  origin: string;
  /** Returns the session token, if any. A rejection fails the call, which isn't sent. */
  token?: () => string | null | Promise<string | null>;
  /** Called with a new session token from a response; it replaces the stored one. @param sent token of the call */
  onToken?: (token: string, sent: string | null) => void;
  /** Called when a response indicates that no user is signed in. @param sent token of the call */
  onSignedOut?: (sent: string | null) => void;
  /** Called when a response requires setting up a second factor first. */
  onFactorRequired?: () => void;
  /** Called with the success message of a response. */
  onDone?: (text: string) => void;
  /** Timeout of a call in milliseconds; 10,000 if omitted. */
  timeout?: number;
  /** Sends a request without files; over the network if omitted. */
  exchange?: (request: ClientRequest) => Promise<CallResponse>;
}

/** A request of a client. */
export interface ClientRequest {
  method: Call['method'];
  /** URL, with the query. */
  url: string;
  headers: Record<string, string>;
  body: object | undefined;
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  files?: Record<string, Blob | undefined>;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
  idempotencyKey?: string;
}

const asField = (value: unknown) =>
  typeof value === 'boolean' ? String(Number(value)) : value === null ? '' : String(value);

/** The query of a URL; empty without one. */
function queryOf(query: object = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

/** Form data of a multipart call: booleans as 0 or 1, null as an empty field, files only if given. */
function formOf({ body = {}, files = {} }: AnyInput): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(body)) if (value !== undefined) form.append(key, asField(value));
  for (const [key, file] of Object.entries(files)) if (file) form.append(key, file);
  return form;
}

/** The path of a call with its parameters filled in. */
export const callPathOf = (path: string, params: Record<string, unknown> = {}) =>
  API_PREFIX + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'code' in value && 'msg' in value;

/** A response from another server, such as a proxy. */
export class UnexpectedResponse extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server responded with status ${status} and no error message.`);
    this.status = status;
  }
}

/** The error in a response: an ApiError, or an UnexpectedResponse if the response isn't from this server. */
export const errorOf = (status: number, body: unknown): Error =>
  isErrorBody(body)
    ? new ApiError(body.code, body.msg, body.reason, body.retry_after, body.table)
    : new UnexpectedResponse(status);

/**
 * Creates the typed client from the call table.
 * @returns a method per call; each throws ApiError with the server's messages if the response is an error
 */
export function createClient({
  origin,
  token,
  onToken,
  onSignedOut,
  onFactorRequired,
  onDone,
  timeout = TIMEOUT,
  exchange: send,
}: ClientOptions): Client {
  const request = (definition: Call, input: AnyInput, current: string | null): Promise<CallResponse> => {
    const url = origin + callPathOf(definition.path, input.params);
    const headers: Record<string, string> = {
      ...(current && { authorization: `Bearer ${current}` }),
      ...(input.idempotencyKey && { [IDEMPOTENCY_KEY]: input.idempotencyKey }),
    };
    if (send) return send({ method: definition.method, url: url + queryOf(input.query), headers, body: input.body });
    if (definition.files && (input.onProgress || input.signal))
      return sendForm(url + queryOf(input.query), {
        form: formOf(input),
        headers,
        onProgress: input.onProgress,
        signal: input.signal,
      });
    return ofetch.raw<unknown>(url, {
      method: definition.method,
      query: input.query,
      body: definition.files ? formOf(input) : input.body,
      headers,
      // Uploads and downloads can take any time.
      timeout:
        definition.download || Object.values(input.files ?? {}).some(Boolean)
          ? undefined
          : Math.max(timeout, definition.timeout ?? 0),
      signal: input.signal,
      retry: 0,
      ignoreResponseError: true,
    });
  };
  const call = async (definition: Call, input: AnyInput = {}): Promise<unknown> => {
    const given = token?.() ?? null;
    const current = given instanceof Promise ? await given : given;
    const response = await request(definition, input, current);
    const { status, _data: body } = response;
    const renewed = response.headers.get('authorization');
    if (renewed) onToken?.(renewed.replace(/^Bearer /, ''), current);
    if (status === 401) onSignedOut?.(current);
    if (isErrorBody(body) && body.code === 'second_factor_required') onFactorRequired?.();
    if (status >= 400) throw errorOf(status, body);
    // Only types that begin with text/ are read as text.
    if (definition.download) return body instanceof Blob && /xml/.test(definition.download) ? body.text() : body;
    if (status === 204) return null;
    // An HTML page instead of a JSON response.
    if (typeof body === 'string') throw new UnexpectedResponse(status);
    const answer = body as Partial<Page<unknown>> & { report?: unknown; msg?: Messages };
    for (const text of Object.values(answer.msg ?? {}).flat()) onDone?.(text);
    if (definition.paged) return { data: answer.data, meta: answer.meta };
    return answer.report ? { ...(answer.data as object), report: answer.report } : answer.data;
  };
  const areas = Object.entries(calls).map(([area, table]) => [
    area,
    Object.fromEntries(
      Object.entries(table).map(([name, definition]) => [name, (input?: AnyInput) => call(definition, input)]),
    ),
  ]);
  return Object.fromEntries(areas) as Client;
}
