import type { z } from 'zod';
import type { Call } from '../../../contract/call.ts';
import type { Calls } from '../../../contract/calls.ts';
import type { PageMeta } from '../db/paging.ts';
import type { Upload } from '../files/upload.ts';
import type { CachedResponse } from './cached-response.ts';
import type { CallContext, SignedInContext } from './call-context.ts';
import type { Download } from './download.ts';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Validated input of a handler, as its call declares it. */
export interface HandlerInput<C extends Call> {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
  /** The file of a multipart call, to be read within the handler; undefined if none was sent. */
  file: C extends { files: readonly [string, ...string[]] } ? Upload | undefined : undefined;
}

type Result<C extends Call> = C extends { paged: true }
  ? { data: z.input<C['output']>; meta: PageMeta }
  : C extends { report: infer R extends z.ZodType }
    ? { data: z.input<C['output']>; report: z.input<R> | undefined }
    : C extends { download: string }
      ? Download
      : z.input<C['output']> | CachedResponse;

/** Only public calls work without signing in. */
type ContextOf<C extends Call> = 'public' extends C['access'] ? CallContext : SignedInContext;

/** Handles one call. Throws ApiError. */
export type Handler<C extends Call> = (context: ContextOf<C>, input: HandlerInput<C>) => Promise<Result<C>>;

/** Handlers of all calls in an area. */
export type Handlers<A extends keyof Calls> = {
  [N in keyof Calls[A]]: Calls[A][N] extends Call ? Handler<Calls[A][N]> : never;
};
