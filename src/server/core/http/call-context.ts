import type { MemberLimits, Policies, Scope } from '../../../contract/entities.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Services } from '../services.ts';

/** The authenticated user. */
export interface SignedIn {
  /** The sign-in from which the session's tokens derive. */
  session: string;
  /** Name of the API key that acts for the user; null for the user in person. */
  apiKey: string | null;
  /** What the API key may do besides reading; null for the user in person, who may do everything. */
  scopes: readonly Scope[] | null;
  userId: number;
  name: string;
  email: string;
  policies: Policies;
  /** Folders and structures to which the user is limited; null for the whole organization. */
  limits: MemberLimits;
  /** How the session signed in, such as `passkey`; empty if unknown, and for API keys. */
  method: string;
  /** Whether the user must set up a second factor before anything else. */
  needsSecondFactor: boolean;
}

/** Context of every handler besides its input. A feature adds fields by augmenting this interface. */
export interface CallContext extends Services {
  /** The caller's organization, or that of the host name. */
  organizationId: number;
  /** Null only for public calls. */
  user: SignedIn | null;
  /** The raw token of the request, not yet verified: a public call checks it itself. */
  token: string | null;
  /** Idempotency key, which prevents a retried request from running twice; null if there is none. */
  idempotencyKey: string | null;
  /** Host name in the request; untrusted. */
  host: string;
  /** IP address of the caller, as reported by trusted proxies. */
  address: string;
  /** `User-Agent` of the request; empty if missing. */
  userAgent: string;
  /** Sends email. */
  mail: Mailer;
  /** Public base URL of the server, without trailing slash; never taken from a request. */
  publicUrl(): string;
  /** `Accept-Language` of the request; undefined if missing. */
  acceptLanguage: string | undefined;
  /** Names the language of the response. @param depends whether it depends on the request's `Accept-Language` */
  markLanguage(language: string | undefined, depends: boolean): void;
  /** Whether the client has disconnected. */
  isGone(): boolean;
  /** Runs work after the response has been sent: slow or fallible work whose result the caller doesn't need. */
  later(work: (isStopping: () => boolean) => Promise<void>): void;
  /** Grants the caller's browser access to protected files with the token of this request, or the given one. */
  openMedia(cookie: string): void;
  /** A request cookie; null if missing. */
  cookie(name: string): string | null;
  /** Sets an HttpOnly cookie with SameSite=Lax. */
  keepCookie(cookie: { name: string; value: string; path: string; seconds: number }): void;
  /** Marks the response as stale by some seconds, because the database doesn't respond; null does nothing. */
  markAge(age: number | null): void;
  /** Issues a session token in the response's Authorization header and body. */
  issueToken(token: string): void;
}

/** Context of non-public calls: the user is known. */
export interface SignedInContext extends CallContext {
  user: SignedIn;
}
