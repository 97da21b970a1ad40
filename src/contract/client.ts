import { FetchError, ofetch } from 'ofetch';
import type { z } from 'zod';
import type { Call } from './call.ts';
import { API_PREFIX, type Calls, calls } from './calls.ts';
import { ApiError, type ErrorBody } from './errors.ts';

/** Milliseconds after which a call is given up; uploads have no limit of their own. */
const TIMEOUT = 10_000;

/** What one call takes: only the parts that it declares. */
export type CallInput<C extends Call> = (C extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : unknown) &
  (C extends { query: infer Q extends z.ZodType } ? { query?: z.input<Q> } : unknown) &
  (C extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : unknown) &
  (C extends { files: readonly (infer F extends string)[] } ? { files?: Partial<Record<F, File | Blob>> } : unknown);

/** What a call gives: the answer's `data`, and in it the `report` of a call that has one. */
export type CallOutput<C extends Call> = C extends { report: infer R extends z.ZodType }
  ? z.output<C['output']> & { report?: z.output<R> }
  : z.output<C['output']>;

type Method<C extends Call> = (
  ...args: keyof CallInput<C> extends never
    ? []
    : object extends CallInput<C>
      ? [input?: CallInput<C>]
      : [input: CallInput<C>]
) => Promise<CallOutput<C>>;

/** A method for every call of the table. */
export type Client = {
  [A in keyof Calls]: { [N in keyof Calls[A]]: Calls[A][N] extends Call ? Method<Calls[A][N]> : never };
};

export interface ClientOptions {
  /** Origin of the server, such as https://rooms.example.com; empty for the page's own. */
  origin: string;
  /** Gives the session token, if there is one. */
  token?: () => string | null;
  /** Told of the token that a response brings; it replaces the stored one. */
  onToken?: (token: string) => void;
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  files?: Record<string, Blob | undefined>;
}

const asField = (value: unknown) =>
  typeof value === 'boolean' ? String(Number(value)) : value === null ? '' : String(value);

/** Form data of a multipart call: booleans as integers, null as an empty field, files only where there is one. */
function formOf({ body = {}, files = {} }: AnyInput): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(body)) if (value !== undefined) form.append(key, asField(value));
  for (const [key, file] of Object.entries(files)) if (file) form.append(key, file);
  return form;
}

const pathOf = (path: string, params: Record<string, unknown> = {}) =>
  API_PREFIX + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'code' in value && 'msg' in value;

/**
 * Makes the typed client from the call table.
 * @returns a method per call; each throws ApiError for an answer that is an error, with the server's own texts
 */
export function createClient({ origin, token, onToken }: ClientOptions): Client {
  const send = async (definition: Call, input: AnyInput = {}): Promise<unknown> => {
    const current = token?.();
    try {
      const response = await ofetch.raw(origin + pathOf(definition.path, input.params), {
        method: definition.method,
        query: input.query,
        body: definition.files ? formOf(input) : input.body,
        headers: current ? { authorization: `Bearer ${current}` } : {},
        timeout: Object.values(input.files ?? {}).some(Boolean) ? undefined : TIMEOUT,
        retry: 0,
      });
      const renewed = response.headers.get('authorization');
      if (renewed) onToken?.(renewed.replace(/^Bearer /, ''));
      if (definition.download) return response._data;
      const answer = response._data as { data: unknown; report?: unknown } | undefined;
      return answer?.report ? { ...(answer.data as object), report: answer.report } : answer?.data;
    } catch (error) {
      if (error instanceof FetchError && isErrorBody(error.data))
        throw new ApiError(error.data.code, error.data.msg, error.data.reason);
      throw error;
    }
  };
  const areas = Object.entries(calls).map(([area, table]) => [
    area,
    Object.fromEntries(
      Object.entries(table).map(([name, definition]) => [name, (input?: AnyInput) => send(definition, input)]),
    ),
  ]);
  return Object.fromEntries(areas) as Client;
}
