import { type Clock, earlier, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';

/** Milliseconds that a visit lives at most: three days, as long as browsers keep it. */
const VISIT_LIFETIME = 3 * 24 * 60 * 60 * 1000;

/** A visit to a protected structure. */
export interface VisitorSession {
  endpointId: number;
  accessTokenId: number;
}

/** A visit that goes on. */
export interface OpenVisit extends VisitorSession {
  /** Stamp at which it ends. */
  endsAt: string;
}

/** A visit that has just begun. */
export interface BegunVisit {
  /** Its token, which is not stored as it is. */
  token: string;
  /** Stamp at which it ends. */
  endsAt: string;
}

/** Forgets visits that have ended. */
export async function sweepVisits(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('visitor_sessions').where('expires_at', '<=', timestampOf(clock.now())).execute();
}

/**
 * Begins a visit.
 * @param till stamp at which the access token ends; null for never
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
 * The visit of a token. It ends when its access token does: that one is looked at each time, so that a removal, an
 * earlier end or another structure counts from the next request on.
 */
export async function findVisit(db: Database, clock: Clock, token: string): Promise<OpenVisit | null> {
  const [row] = await visitByToken(db, hashToken(token), timestampOf(clock.now()));
  if (!row) return null;
  const { endpoint_id, access_token_id, expires_at, valid_till } = row;
  const endsAt = valid_till === null ? expires_at : earlier(expires_at, valid_till);
  return { endpointId: endpoint_id, accessTokenId: access_token_id, endsAt };
}
