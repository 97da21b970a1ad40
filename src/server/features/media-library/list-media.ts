import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { MediaType } from '../../../contract/entities.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { orderByName } from '../../core/db/order-by-name.ts';
import { orderOf } from '../../core/db/order-of.ts';
import { containsWords } from '../../core/db/search.ts';
import { folderBranch } from '../folders/service.ts';
import { MEDIA_FOLDERS } from '../folders/table.ts';
import type { MediaRow } from '../media/queries.ts';
import { TEMPLATE_FILES } from '../templates/queries.ts';
import { markerOf } from './usage.ts';

/** Searched columns. */
const SEARCHED = [
  ...(['name', 'title', 'description', 'creator', 'credit', 'date', 'alt', 'keywords'] as const),
  ...(['long_description', 'transcript'] as const),
];

/** Filter of a file list. */
export interface MediaFilter
  extends Partial<
    Omit<z.output<typeof calls.media.list.query>, 'page' | 'per_page' | 'filters' | 'ids' | 'sort' | 'transcripts'>
  > {
  /** Types; empty for all. */
  types: readonly MediaType[];
  userId?: number;
  ids?: readonly number[];
}

type Sort = z.output<typeof calls.media.list.query>['sort'];

/** The values of a column with a JSON list. */
const valuesIn = (db: Database, column: string) =>
  isPostgres(db)
    ? sql`json_array_elements_text(cast(${sql.ref(column)} as json)) as listed(value)`
    : sql`json_each(${sql.ref(column)}) as listed`;

/**
 * IDs of an organization's files in use, as a subquery; the same uses as in `findUses`. It is plain SQL, so it includes
 * uses that a limited user doesn't see.
 */
function usedIds(db: Database, organizationId: number): RawBuilder<unknown> {
  const own = (table: string) => sql`${sql.ref(`${table}.organization_id`)} = ${organizationId}`;
  const columns = (table: string, names: readonly string[], owner = 'organization_id') =>
    names.map(
      (name) => sql`select ${sql.ref(name)} as id from ${sql.table(table)} where ${sql.ref(owner)} = ${organizationId}`,
    );
  const value = sql`cast(listed.value as ${sql.raw(isPostgres(db) ? 'bigint' : 'integer')}) as id`;
  const uses = [
    ...columns('elements', ['file_id']),
    ...columns('templates', Object.values(TEMPLATE_FILES)),
    ...columns('organizations', ['font_file_id', 'logo_file_id'], 'id'),
    sql`select ${markerOf(db)} as id from rooms where ${own('rooms')}`,
    sql`select feed_items.media_id as id from feed_items join feeds on feeds.id = feed_items.feed_id where ${own('feeds')}`,
    sql`select ${value} from blocks
      join block_versions on block_versions.block_id = blocks.id and block_versions.version = blocks.version
      cross join ${valuesIn(db, 'block_versions.file_ids')} where ${own('blocks')}`,
    sql`select ${value} from publications cross join ${valuesIn(db, 'publications.file_ids')}
      where ${own('publications')} and (publications.is_scheduled = 1 or publications.id = (
        select max(latest.id) from publications as latest
        where latest.room_id = publications.room_id and latest.is_scheduled = 0))`,
  ];
  return sql`(select id from (${sql.join(uses, sql` union all `)}) as uses where id is not null)`;
}

/** Equal for files with equal uploads. */
const CONTENT = sql<string>`coalesce(original_hash, hash)`;

/** A condition that a file has a keyword. */
const hasKeyword = (db: Database, keyword: string): RawBuilder<SqlBool> => {
  const written = JSON.stringify(keyword);
  return isPostgres(db)
    ? sql<SqlBool>`strpos(keywords, ${written}) > 0`
    : sql<SqlBool>`instr(keywords, ${written}) > 0`;
};

async function filtered(db: Database, organizationId: number, filter: MediaFilter) {
  const { types, userId, ids, search, folder_id, used, without_alt, duplicates, same_as, keyword } = filter;
  let found = db.selectFrom('media').where('organization_id', '=', organizationId);
  if (types.length > 0) found = found.where('type', 'in', types);
  if (userId !== undefined) found = found.where('user_id', '=', userId);
  if (ids) found = found.where('id', 'in', ids);
  if (search) found = found.where(containsWords(SEARCHED, search));
  if (folder_id === 0) found = found.where('folder_id', 'is', null);
  else if (folder_id !== undefined)
    found = found.where('folder_id', 'in', [
      folder_id,
      ...(await folderBranch(db, organizationId, folder_id, MEDIA_FOLDERS)),
    ]);
  // `is true` makes PostgreSQL hash the subquery once. As a join, it could be run again for each file.
  if (used !== undefined)
    found = found.where(
      sql<SqlBool>`(id ${used === '1' ? sql`in` : sql`not in`} ${usedIds(db, organizationId)}) is true`,
    );
  if (without_alt === '1') found = found.where('type', '=', 'image').where('alt', '=', '');
  if (duplicates === '1')
    found = found.where(
      sql<SqlBool>`(${CONTENT} in (select ${CONTENT} from media where organization_id = ${organizationId}
        group by ${CONTENT} having count(*) > 1)) is true`,
    );
  if (same_as !== undefined)
    found = found.where(
      sql<SqlBool>`${CONTENT} = (select ${CONTENT} from media where organization_id = ${organizationId} and id = ${same_as})`,
    );
  if (keyword !== undefined) found = found.where(hasKeyword(db, keyword));
  if (filter.min_bytes !== undefined) found = found.where('bytes', '>=', filter.min_bytes);
  if (filter.max_bytes !== undefined) found = found.where('bytes', '<=', filter.max_bytes);
  return found;
}

/** An organization's files, newest first by default, and the total count. */
export async function listMedia(
  db: Database,
  organizationId: number,
  filter: MediaFilter & { sort?: Sort },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MediaRow[]; total: number }> {
  const found = await filtered(db, organizationId, filter);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { by, direction } = orderOf<NonNullable<Sort>>(filter.sort ?? '-created');
  let ordered = found.selectAll();
  if (filter.sort === undefined && filter.duplicates === '1') ordered = ordered.orderBy(CONTENT);
  if (by === 'name') ordered = ordered.orderBy(orderByName(db, 'name'), direction);
  if (by === 'bytes') ordered = ordered.orderBy('bytes', direction);
  const rows = await ordered.orderBy('id', direction).limit(limit).offset(offset).execute();
  return { rows, total: Number(total) };
}

/** Maximum listed keywords. */
const MAX_LISTED = 1000;

/** The keywords of an organization's files, most frequent first. */
export async function listKeywords(
  db: Database,
  organizationId: number,
): Promise<{ keyword: string; files: number }[]> {
  const { rows } = await sql<{ keyword: string; files: number }>`
    select listed.value as keyword, count(distinct media.id) as files
    from media cross join ${valuesIn(db, 'media.keywords')}
    where media.organization_id = ${organizationId} and media.keywords <> '[]'
    group by listed.value order by files desc, keyword limit ${MAX_LISTED}
  `.execute(db);
  return rows.map(({ keyword, files }) => ({ keyword, files: Number(files) }));
}
