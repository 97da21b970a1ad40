import { sql } from 'kysely';
import { type Database, isPostgres } from '../../core/db/database.ts';
import type { CodeLine } from '../../core/files/inspect/codes/code-line.ts';
import { codeColumn, listOf, type NewCodes, type StoredToken } from './access-tokens-repository.ts';
import type { AddPiece } from './insert-codes.ts';

/** What a row may give besides its code. */
const FIELDS = ['valid_from', 'valid_till', 'valid_duration', 'first_used_at', 'holder_name', 'holder_email'] as const;
const COLUMNS = sql.join(FIELDS.map((field) => sql.ref(field)));
const GIVEN = sql.join(FIELDS.map((field) => sql.ref(`given.${field}`)));

type Fields = Pick<StoredToken, (typeof FIELDS)[number]>;

/** A row as a new code has it, and what of it one that is there already takes over. */
interface Row {
  whole: Fields & { token: string };
  taken: Partial<Fields>;
}

function rowOf({ code, fields = {} }: CodeLine, { duration }: NewCodes, renew: boolean): Row {
  const { valid_from = null, valid_till = null, valid_duration = duration, first_used_at = null } = fields;
  const { holder_name = null, holder_email = null } = fields;
  const all = { valid_from, valid_till, valid_duration, first_used_at, holder_name, holder_email };
  const given = FIELDS.filter((field) => renew || fields[field] !== undefined);
  return { whole: { token: code, ...all }, taken: Object.fromEntries(given.map((field) => [field, all[field]])) };
}

/** Rows as a table, `given`. */
function tableOf(db: Database, rows: readonly (Fields & { id?: number; token?: string })[]) {
  const json = JSON.stringify(rows);
  if (isPostgres(db))
    return sql`json_to_recordset(cast(${json} as json)) as given(id bigint, token text, valid_from text, valid_till text,
      valid_duration integer, first_used_at text, holder_name text, holder_email text)`;
  const columns = ['id', 'token', ...FIELDS].map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(columns)} from json_each(${json})) as given`;
}

async function insertNew(db: Database, target: NewCodes, rows: Iterable<Row>): Promise<string[]> {
  const { organizationId, endpointId, at } = target;
  const table = tableOf(
    db,
    Array.from(rows, ({ whole }) => whole),
  );
  const { rows: added } = await sql<{ token: string }>`
    insert into access_tokens (organization_id, endpoint_id, created_at, updated_at, token, ${COLUMNS})
    select cast(${organizationId} as bigint), cast(${endpointId} as bigint), cast(${at} as text), cast(${at} as text),
      given.token, ${GIVEN}
    from ${table} where true
    on conflict (endpoint_id, token) do nothing
    returning token
  `.execute(db);
  return added.map(({ token }) => token);
}

/** Changes codes that are there. Gives how many have others than before. */
async function updateOthers(
  db: Database,
  { endpointId, at }: NewCodes,
  rows: ReadonlyMap<string, Row>,
): Promise<number> {
  const found = await db
    .selectFrom('access_tokens')
    .select(['id', 'token', ...FIELDS])
    .where('endpoint_id', '=', endpointId)
    .where(codeColumn(db), 'in', sql<string>`(select value from ${listOf(db, [...rows.keys()])})`)
    .execute();
  const changed = found.flatMap(({ token, ...had }) => {
    const now = { ...had, ...rows.get(token)!.taken };
    return FIELDS.some((field) => now[field] !== had[field]) ? [now] : [];
  });
  if (changed.length > 0)
    await sql`
      update access_tokens set updated_at = ${at},
        ${sql.join(FIELDS.map((field) => sql`${sql.ref(field)} = ${sql.ref(`given.${field}`)}`))}
      from ${tableOf(db, changed)} where access_tokens.id = given.id
    `.execute(db);
  return changed.length;
}

/** Adds codes with their times and holders; those that are there take over what is given. The last row of a code counts. */
export const addWithFields: AddPiece = async (db, target, lines, renew) => {
  const rows = new Map(lines.map((line) => [line.code, rowOf(line, target, renew)]));
  const fresh = await insertNew(db, target, rows.values());
  for (const code of fresh) rows.delete(code);
  return { fresh, updated: rows.size > 0 ? await updateOthers(db, target, rows) : 0 };
};
