import { type Clock, earlier, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';

/** Maximum lifetime of a visit in milliseconds: three days, the same as the cookie's. */
const VISIT_LIFETIME = 3 * 24 * 60 * 60 * 1000;

/** A visit to a protected structure. */
export interface VisitorSession {
  endpointId: number;
  accessTokenId: number;
}

/** A visit in progress. */
export interface OpenVisit extends VisitorSession {
  /** Timestamp of its end. */
  endsAt: string;
}

/** A new visit. */
export interface BegunVisit {
  /** Its token, of which only the hash is stored. */
  token: string;
  /** Timestamp of its end. */
  endsAt: string;
}

/** Deletes ended visits. */
export async function sweepVisits(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('visitor_sessions').where('expires_at', '<=', timestampOf(clock.now())).execute();
}

/**
 * Begins a visit.
 * @param till timestamp at which the access token expires; null for never
 */
export async function beginVisit(
  db: Database,
  clock: Clock,
  { endpointId, accessTokenId }: VisitorSession,
  till: string | null,
): Promise<BegunVisit> {
  const token = createToken();
  const now = clock.now();
  const latest = timestampOf(now + VISIT_LIFETIME);
  const endsAt = till === null ? latest : earlier(till, latest);
  await db
    .insertInto('visitor_sessions')
    .values({
      endpoint_id: endpointId,
      access_token_id: accessTokenId,
      token_hash: hashToken(token),
      created_at: timestampOf(now),
      expires_at: endsAt,
    })
    .execute();
  return { token, endsAt };
}

const visitByToken = prepared((db, hash: string, now: string) =>
  db
    .selectFrom('visitor_sessions')
    .innerJoin('access_tokens', (join) =>
      join
        .onRef('access_tokens.id', '=', 'visitor_sessions.access_token_id')
        .onRef('access_tokens.endpoint_id', '=', 'visitor_sessions.endpoint_id'),
    )
    .select([
      'visitor_sessions.endpoint_id',
      'visitor_sessions.access_token_id',
      'visitor_sessions.expires_at',
      'access_tokens.valid_till',
    ])
    .where('visitor_sessions.token_hash', '=', hash)
    .where('visitor_sessions.expires_at', '>', now)
    .where((where) =>
      where.or([where('access_tokens.valid_till', 'is', null), where('access_tokens.valid_till', '>', now)]),
    )
    .where((where) =>
      where.or([where('access_tokens.valid_from', 'is', null), where('access_tokens.valid_from', '<=', now)]),
    ),
);

/**
 * The visit of a token. It ends with its access token, which is checked on each request, so that a deletion, an earlier
 * end or another structure takes effect immediately.
 */
export async function findVisit(db: Database, clock: Clock, token: string): Promise<OpenVisit | null> {
  const [row] = await visitByToken(db, hashToken(token), timestampOf(clock.now()));
  if (!row) return null;
  const { endpoint_id, access_token_id, expires_at, valid_till } = row;
  const endsAt = valid_till === null ? expires_at : earlier(expires_at, valid_till);
  return { endpointId: endpoint_id, accessTokenId: access_token_id, endsAt };
}
