import { type Clock, earlier, stampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { createToken, hashToken } from '../sessions/token.ts';

/** Milliseconds that a visit lives at most: three days, as long as browsers keep it. */
const LIFETIME = 3 * 24 * 60 * 60 * 1000;

/** A visit to a protected structure. */
export interface VisitorSession {
  endpointId: number;
  accessTokenId: number;
}

/** Forgets visits that have ended. */
export async function sweepVisits(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('visitor_sessions').where('expires_at', '<=', stampOf(clock.now())).execute();
}

/**
 * Begins a visit and gives its token, which is not stored as it is.
 * @param till stamp at which the access token ends; null for never
 */
export async function beginVisit(
  db: Database,
  clock: Clock,
  { endpointId, accessTokenId }: VisitorSession,
  till: string | null,
): Promise<string> {
  const token = createToken();
  const now = clock.now();
  const latest = stampOf(now + LIFETIME);
  await db
    .insertInto('visitor_sessions')
    .values({
      endpoint_id: endpointId,
      access_token_id: accessTokenId,
      token_hash: hashToken(token),
      created_at: stampOf(now),
      expires_at: till === null ? latest : earlier(till, latest),
    })
    .execute();
  return token;
}

const visitByToken = prepared((db, hash: string, now: string) =>
  db
    .selectFrom('visitor_sessions')
    .innerJoin('access_tokens', (join) =>
      join
        .onRef('access_tokens.id', '=', 'visitor_sessions.access_token_id')
        .onRef('access_tokens.endpoint_id', '=', 'visitor_sessions.endpoint_id'),
    )
    .select(['visitor_sessions.endpoint_id', 'visitor_sessions.access_token_id'])
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
export async function findVisit(db: Database, clock: Clock, token: string): Promise<VisitorSession | null> {
  const [row] = await visitByToken(db, hashToken(token), stampOf(clock.now()));
  return row ? { endpointId: row.endpoint_id, accessTokenId: row.access_token_id } : null;
}
