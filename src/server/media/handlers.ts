import { z } from 'zod';
import { MEDIA_TYPES } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { CallContext, Handlers } from '../api/handler.ts';
import { containsWords } from '../db/search.ts';
import { asMedia, type MediaRow } from './media-row.ts';
import { storeFile } from './store-file.ts';
import { detachMedia, usesOf } from './usage.ts';

/** Files on a page of the library. */
const PAGE = 30;

const filtersSchema = z.array(z.strictObject({ type: z.enum([...MEDIA_TYPES, 'current_user']) })).max(20);

/** Reads the filters of a list: base64 of a JSON list. */
function readFilters(encoded: string | undefined): z.output<typeof filtersSchema> {
  if (!encoded) return [];
  try {
    return filtersSchema.parse(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')));
  } catch {
    throw new ApiError('bad_request', { filters: ['The filters are not base64 of a JSON list of {type}.'] });
  }
}

async function rowOf({ db, organizationId }: CallContext, id: number): Promise<MediaRow> {
  const row = await db
    .selectFrom('media')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found');
  return row;
}

export const media: Handlers<'media'> = {
  list: async ({ db, organizationId, user }, { query }) => {
    const filters = readFilters(query.filters).map(({ type }) => type);
    const types = filters.filter((type) => type !== 'current_user');
    let rows = db.selectFrom('media').where('organization_id', '=', organizationId);
    if (types.length > 0) rows = rows.where('type', 'in', types);
    if (filters.includes('current_user')) rows = rows.where('user_id', '=', user!.userId);
    if (query.search) rows = rows.where(containsWords('name', query.search));
    const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const found = await rows
      .selectAll()
      .orderBy('id', 'desc')
      .limit(PAGE)
      .offset((query.page - 1) * PAGE)
      .execute();
    return { data: found.map(asMedia), last_page: Math.max(1, Math.ceil(Number(total) / PAGE)) };
  },

  read: async (context, { params }) => asMedia(await rowOf(context, params.id)),

  upload: async (context, { body, file }) => {
    if (!file) throw new ApiError('invalid', { file: ['Choose a file.'] });
    const { organizationId, user } = context;
    const owner = { organizationId, userId: user!.userId, name: file.name, accept: body.accept };
    return asMedia(await storeFile(context, owner, file));
  },

  remove: async (context, { params, query }) => {
    const { db, organizationId, media: store, user } = context;
    const row = await rowOf(context, params.id);
    if (row.user_id !== user!.userId && !user!.policies.rooms.delete) throw new ApiError('forbidden');
    const uses = await usesOf(db, organizationId, row.id);
    if (uses.length > 0 && query.force !== '1')
      throw new ApiError('in_use', { error: ['This file is still in use.', ...uses] });
    await db.transaction().execute(async (transaction) => {
      await detachMedia(transaction, organizationId, row.id);
      await transaction.deleteFrom('media').where('id', '=', row.id).execute();
    });
    const others = await db.selectFrom('media').select('id').where('hash', '=', row.hash).executeTakeFirst();
    if (!others) await store.remove(row.hash);
    return null;
  },
};
