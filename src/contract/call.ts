import type { z } from 'zod';
import type { Area, Right } from './entities.ts';
import type { ErrorCode } from './errors.ts';

/** Who may make a call: anybody, anybody signed in, or whoever has a right in an area. */
export type Access = 'public' | 'session' | `${Area}.${Right}`;

/** Header that names a request, so that one that is sent again is not done again. */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/**
 * What a call edits. Its body may be what another call read: fields that an edit does not take and that are still as they
 * were read say nothing, others that differ are refused.
 */
export interface Edits {
  /** Call that reads it, such as `rooms.read`; of a list, the entry that has the same parameters. */
  read: `${string}.${string}`;
  /** Fields of it that change by themselves, so that nothing can be said about what comes back of them. */
  moving?: readonly string[];
}

/** What calls of all methods have. Paths are below `/api/v1`; `:name` stands for a parameter. */
interface AnyCall {
  path: string;
  /** One sentence: what it does. */
  summary: string;
  access: Access;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether the body is multipart form data; files arrive as the fields named here. */
  files?: readonly string[];
  /** What the answer's `data` is. */
  output: z.ZodType;
  /** Whether the answer carries `meta` with page counts beside `data`. */
  paged?: boolean;
  /** What the answer's `report` is: it stands beside `data` where there is something to report. */
  report?: z.ZodType;
  /** Media type of a file that is answered instead of JSON; `output` is its text. */
  download?: string;
  /** Whether a one-time ticket in the query's `token` may stand for the session, for links that a browser follows. */
  ticket?: boolean;
  /** Whether a request that is sent again with the same `Idempotency-Key` gets the first answer and does nothing. */
  idempotent?: boolean;
  /** Whether its response depends on nothing but the database, the time in seconds, the caller and the URL, so that it can be cached. */
  cached?: true;
  /** Whether whoever must set up a second factor first may make it: what they need for that. */
  withoutFactor?: boolean;
  /** Errors that it gives besides those that follow from its access, parameters and body. */
  errors?: readonly ErrorCode[];
  /** What is said to the person when all went well; it stands in the answer's `msg`. */
  done?: string;
  /** Status of the answer when all went well; 200 unless given. */
  status?: number;
}

/** One call of the API. Whatever is put somewhere says what it edits. */
export type Call = AnyCall & ({ method: 'PUT'; edits: Edits } | { method: 'GET' | 'POST' | 'DELETE'; edits?: Edits });

/** Declares a call, keeping the exact types of its schemas. */
export const call = <const C extends Call>(definition: C): C => definition;
