import { API_KEY_PREFIX, type ApiKey, policiesSchema } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { offsetOf, pageMeta } from '../../base/db/paging.ts';
import { containsWords } from '../../base/db/search.ts';
import { createToken, hashToken } from '../../base/secrets/token.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { refuseBeyond, refuseKeys } from '../../store/users/rights.ts';
import type { Handlers } from '../handler.ts';

/** Characters of a key that lists show. */
const HINT = 4;
/** Milliseconds that a key works for which nothing else is asked: one that is forgotten does not open forever. */
const LIFETIME = 365 * 24 * 60 * 60 * 1000;

const keyQuery = (db: Database, organizationId: number) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select('users.name as user_name')
    .where('api_keys.organization_id', '=', organizationId);

type KeyRow = NonNullable<Awaited<ReturnType<ReturnType<typeof keyQuery>['executeTakeFirst']>>>;

const asApiKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  user: { id: row.user_id, name: row.user_name },
  policies: policiesSchema.parse(JSON.parse(row.policies)),
  created_at: row.created_at,
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
});

export const apiKeys: Handlers<'apiKeys'> = {
  list: async ({ db, organizationId }, { query }) => {
    let found = db.selectFrom('api_keys').where('api_keys.organization_id', '=', organizationId);
    if (query.search) found = found.where(containsWords('api_keys.name', query.search));
    const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await found
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .selectAll('api_keys')
      .select('users.name as user_name')
      .orderBy('api_keys.id', 'desc')
      .limit(query.per_page)
      .offset(offsetOf(query))
      .execute();
    return { data: rows.map(asApiKey), meta: pageMeta(Number(total), query) };
  },

  create: async (context, { body }) => {
    const { organizationId, clock } = context;
    const user = context.user!;
    const { name, policies } = body;
    const expires_at = body.expires_at === undefined ? timestampOf(clock.now() + LIFETIME) : body.expires_at;
    refuseKeys(user);
    refuseBeyond(user, policies);
    if (expires_at !== null && expires_at <= timestampOf(clock.now()))
      throw new ApiError('invalid', { expires_at: ['Use a time that is still to come.'] });
    const key = API_KEY_PREFIX + createToken();
    const at = nextTimestamp(clock);
    return context.db.transaction().execute(async (db) => {
      const { id } = await db
        .insertInto('api_keys')
        .values({
          organization_id: organizationId,
          user_id: user.userId,
          name,
          hint: key.slice(-HINT),
          policies: JSON.stringify(policies),
          key_hash: hashToken(key),
          expires_at,
          last_used_at: null,
          created_at: at,
          updated_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const after = { name, policies, expires_at, user_id: user.userId };
      await recordChange(db, context, { action: 'create', entity: 'api_key', entity_id: id, name, after });
      await recordEvent(db, context, {
        event: 'key_created',
        subject: name,
        details: { rights: policies, expires_at },
      });
      const row = await keyQuery(db, organizationId).where('api_keys.id', '=', id).executeTakeFirstOrThrow();
      return { ...asApiKey(row), key };
    });
  },

  remove: async (context, { params }) => {
    await context.db.transaction().execute(async (db) => {
      const row = await db
        .deleteFrom('api_keys')
        .where('organization_id', '=', context.organizationId)
        .where('id', '=', params.id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw new ApiError('not_found');
      const about = { entity_id: row.id, name: row.name, before: row };
      await recordChange(db, context, { action: 'delete', entity: 'api_key', ...about });
      await recordEvent(db, context, { event: 'key_revoked', subject: row.name });
    });
    return null;
  },
};
