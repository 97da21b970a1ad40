import type { Policies } from '../../../contract/entities.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Services } from '../services.ts';

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

/** What every handler receives besides its input. A feature adds fields by augmenting this interface. */
export interface CallContext extends Services {
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
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
  /** Does something once the answer has been sent: what takes time or can fail, and is nothing to the caller. */
  later(work: (isStopping: () => boolean) => Promise<void>): void;
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

/** The same where the call is not public: whoever asks is known. */
export interface SignedInContext extends CallContext {
  user: SignedIn;
}
