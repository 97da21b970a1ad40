import type { z } from 'zod';
import type { Area, Right, Scope } from './entities.ts';
import type { ErrorCode } from './errors.ts';

/** Who may make a call: anyone, any signed-in user, or users with a right in an area. */
export type Access = 'public' | 'session' | `${Area}.${Right}`;

/** Header that identifies a request, so that a retry isn't executed twice. */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/**
 * The resource that a call edits. The body may contain a resource as it was read: unchanged fields that can't be set are
 * ignored, changed ones are rejected.
 */
export interface Edits {
  /** Call that reads it, such as `rooms.read`; for a list, the entry with the same parameters. */
  read: `${string}.${string}`;
  /** Fields that change on their own, so stale values are ignored. */
  moving?: readonly string[];
}

/** Fields common to all methods. Paths are relative to `/api/v1`; `:name` is a parameter. */
interface AnyCall {
  path: string;
  /** Purpose, in one sentence. */
  summary: string;
  access: Access;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Names of the file fields; the body is multipart form data. */
  files?: readonly string[];
  /** Schema of the response's `data`. */
  output: z.ZodType;
  /** Whether the response contains `meta` with page counts beside `data`. */
  paged?: boolean;
  /** Schema of the response's optional `report`, beside `data`. */
  report?: z.ZodType;
  /** Media type of a file response instead of JSON; `output` is its text. */
  download?: string;
  /** Whether a one-time ticket in the query parameter `token` can replace the session, for links opened by the browser. */
  ticket?: boolean;
  /** Whether a retry with the same `Idempotency-Key` returns the first response without executing again. */
  idempotent?: boolean;
  /** Whether the response can be cached: it depends only on the database, the time in seconds, the caller and the URL. */
  cached?: true;
  /** Whether users who must first set up a second factor can make this call, because setup needs it. */
  withoutFactor?: boolean;
  /** Scope that an API key needs; derived from the method and the access if omitted. */
  scope?: Scope;
  /** Errors beyond those implied by its access, parameters and body. */
  errors?: readonly ErrorCode[];
  /** Success message for the user, in the response's `msg`. */
  done?: string;
  /** Success status; 200 if omitted. */
  status?: number;
  /** Milliseconds that a client waits for the response, for calls that ask another service; 10,000 if omitted. */
  timeout?: number;
}

/** One call of the API. A PUT must declare the resource it edits. */
export type Call = AnyCall & ({ method: 'PUT'; edits: Edits } | { method: 'GET' | 'POST' | 'DELETE'; edits?: Edits });

/** Declares a call and preserves the exact types of its schemas. */
export const call = <const C extends Call>(definition: C): C => definition;

/** Rights to what visitors don't see by themselves. A space that they see as edited is protected in addition. */
const DRAFTS = /^(?:rooms\.|templates\.create|media\.create)/;

/** Scope that an API key needs besides a right; null for rights to read. */
export function scopeOfAccess(access: Access): Scope | null {
  if (access === 'public' || access.endsWith('.view_any')) return null;
  if (access.endsWith('.delete')) return 'delete';
  return DRAFTS.test(access) ? 'write' : 'publish';
}

/** Scope that an API key needs for a call; null for calls that only read. */
export const scopeOf = ({ method, access, scope }: Call): Scope | null =>
  scope ?? (method === 'GET' ? null : scopeOfAccess(access));
