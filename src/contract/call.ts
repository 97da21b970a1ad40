import type { z } from 'zod';
import type { Area, Right } from './entities.ts';
import type { ErrorCode } from './errors.ts';

/** Who may make a call: anybody, anybody signed in, or whoever has a right in an area. */
export type Access = 'public' | 'session' | `${Area}.${Right}`;

/** Header that names a request, so that one that is sent again is not done again. */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/** One call of the API. Paths are below `/api/v1`; `:name` stands for a parameter. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
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
  /** Whether whoever must set up a second factor first may make it: what they need for that. */
  withoutFactor?: boolean;
  /** Errors that it gives besides those that follow from its access, parameters and body. */
  errors?: readonly ErrorCode[];
  /** What is said to the person when all went well; it stands in the answer's `msg`. */
  done?: string;
  /** Status of the answer when all went well; 200 unless given. */
  status?: number;
}

/** Declares a call, keeping the exact types of its schemas. */
export const call = <const C extends Call>(definition: C): C => definition;
