import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Call } from '../../contract/call.ts';
import type { Calls } from '../../contract/calls.ts';
import type { Policies } from '../../contract/entities.ts';
import type { LastAnswers } from '../db/last-answers.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { KeptRooms } from '../rooms/kept-rooms.ts';
import type { Services } from '../services.ts';
import type { OpenEndpoint } from '../visit/public-endpoints.ts';
import type { Download } from './download.ts';
import type { KeptAnswer } from './kept-answer.ts';

/** Who asks, as far as the server knows. */
export interface SignedIn {
  /** The sign-in that the session's tokens follow from. */
  session: string;
  /** Name of the API key that asks in its user's name; null for the user in person. */
  apiKey: string | null;
  userId: number;
  name: string;
  email: string;
  policies: Policies;
  /** How the session was signed in, such as `passkey`; empty where that is not known, and for keys. */
  method: string;
  /** Whether nothing else may be done until a second factor is set up. */
  needsSecondFactor: boolean;
}

/** What every handler is given besides its input. */
export interface CallContext extends Services {
  keptRooms: KeptRooms;
  /** Open structures as they were last read, for while the database is away. */
  lastOpen: LastAnswers<OpenEndpoint>;
  /** The organization that the caller belongs to, or that the host name stands for. */
  organizationId: number;
  /** Null only where the call is public. */
  user: SignedIn | null;
  /** The token that came with the request, as it came. It says nothing yet: a public call checks it by itself. */
  token: string | null;
  /** What names the request, so that one that is sent again is not done again; null where nothing does. */
  idempotencyKey: string | null;
  /** Host name that the request names; anybody can send any. */
  host: string;
  /** Address of the caller, as trusted proxies tell it. */
  address: string;
  /** What the caller's program says that it is; empty where it says nothing. */
  userAgent: string;
  /** Sends messages. */
  mail: Mailer;
  /** Address under which people reach the server, without a slash at its end; never what a request says it is. */
  publicUrl(): string;
  /** Does something once the answer has been sent: what takes time or can fail, and is nothing to the caller. */
  later(work: () => Promise<void>): void;
  /** Lets the caller's browser have protected files with the token of this request, or the one that it brings. */
  openMedia(cookie: string): void;
  /** A cookie of the request; null where it has none. */
  cookie(name: string): string | null;
  /** Lets the browser keep a cookie that no script reads and no other site sends, but for a link. */
  keepCookie(cookie: { name: string; value: string; path: string; seconds: number }): void;
  /** Says that what is answered is some seconds old, for the database does not answer; nothing where it is null. */
  markAge(age: number | null): void;
  /** Gives the caller a session token: in the Authorization header of the response, and in its body. */
  issueToken(token: string): void;
}

/** A file that arrives with a multipart call. */
export interface Upload {
  name: string;
  stream: Readable;
  /** Whether the stream was cut because it is larger than uploads may be; known when it has ended. */
  truncated(): boolean;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler gets: the parts that its call declares, checked. */
export interface HandlerInput<C extends Call> {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
  /** The file of a multipart call, to be read within the handler; undefined when none came. */
  file: C extends { files: readonly [string, ...string[]] } ? Upload | undefined : undefined;
}

/** Numbers of pages beside a list. */
export interface PageMeta {
  total: number;
  page: number;
  last_page: number;
}

type Result<C extends Call> = C extends { paged: true }
  ? { data: z.input<C['output']>; meta: PageMeta }
  : C extends { report: infer R extends z.ZodType }
    ? { data: z.input<C['output']>; report: z.input<R> | undefined }
    : C extends { download: string }
      ? Download
      : z.input<C['output']> | KeptAnswer;

/** Answers one call. Errors are thrown as ApiError. */
export type Handler<C extends Call> = (context: CallContext, input: HandlerInput<C>) => Promise<Result<C>>;

/** The handlers of one area: every call of it, none more. */
export type Handlers<A extends keyof Calls> = {
  [N in keyof Calls[A]]: Calls[A][N] extends Call ? Handler<Calls[A][N]> : never;
};
