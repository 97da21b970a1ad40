import type { Database } from '../../core/db/database.ts';
import { moderationOf } from '../feeds/queries.ts';
import type { StoredUser } from '../users/queries.ts';

/** Replaces the name of an erased person. */
const ERASED = 'Erased person';

/** A person's current and former accounts, and their names. */
export interface Traces {
  email: string;
  /** The given address, and former ones. */
  emails: string[];
  ids: number[];
  names: string[];
}

/** The address in a change log entry, if any. */
function emailIn(fields: string | null): string[] {
  const email = fields === null ? null : (JSON.parse(fields) as { email?: unknown }).email;
  return typeof email === 'string' ? [email] : [];
}

/** Finds the data of a person. @param row the current user, if any */
export async function tracesOf(db: Database, organizationId: number, email: string, row?: StoredUser): Promise<Traces> {
  const entries = await db
    .selectFrom('changes')
    .select(['entity_id', 'name', 'before', 'after'])
    .where('organization_id', '=', organizationId)
    .where('entity', '=', 'user')
    .execute();
  const own = new Set(row ? [row.id] : []);
  for (const { entity_id, before, after } of entries)
    if ([before, after].flatMap(emailIn).includes(email)) own.add(entity_id);
  const about = entries.filter(({ entity_id }) => own.has(entity_id));
  const emails = about.flatMap(({ before, after }) => [before, after].flatMap(emailIn));
  const names = about.map(({ name }) => name);
  return {
    email,
    emails: [...new Set([email, ...emails])],
    ids: [...own],
    names: [...new Set([...names, ...(row ? [row.name] : [])])],
  };
}

/** Erases a person from change log, imports, revisions and publications; their actions stay. @returns changed entries */
export async function eraseFromHistory(db: Database, organizationId: number, { ids, names }: Traces): Promise<number> {
  const about = await db
    .updateTable('changes')
    .set({ name: ERASED, before: null, after: null, is_restorable: 0 })
    .where('organization_id', '=', organizationId)
    .where('entity', '=', 'user')
    .where('entity_id', 'in', ids)
    .executeTakeFirst();
  let count = about.numUpdatedRows;
  for (const table of ['changes', 'imports', 'revisions', 'publications', 'room_commands'] as const) {
    const by = await db
      .updateTable(table)
      .set({ author_name: ERASED, user_id: null })
      .where('organization_id', '=', organizationId)
      .where((where) =>
        where.or([
          where('user_id', 'in', ids),
          where.and([where('user_id', 'is', null), where('author_name', 'in', names)]),
        ]),
      )
      .executeTakeFirst();
    count += by.numUpdatedRows;
  }
  // Logs of removed spaces can contain authors who were removed earlier.
  const logs = db.selectFrom('change_rows').select(['id', 'content']).where('organization_id', '=', organizationId);
  for (const { id, content } of await logs.where('kind', '=', 'room_commands').execute()) {
    const { rows } = JSON.parse(content) as { rows: { user_id: number | null; author_name: string | null }[] };
    const isTheirs = (row: (typeof rows)[number]) =>
      ids.includes(row.user_id ?? 0) || (row.author_name !== null && names.includes(row.author_name));
    if (!rows.some(isTheirs)) continue;
    const erased = rows.map((row) => (isTheirs(row) ? { ...row, user_id: null, author_name: ERASED } : row));
    await db
      .updateTable('change_rows')
      .set({ content: JSON.stringify({ rows: erased }) })
      .where('id', '=', id)
      .execute();
  }
  return Number(count);
}

/** Erases a person from records that revert changes, and from stored import responses. */
export async function eraseFromImports(db: Database, organizationId: number, { email, ids }: Traces): Promise<void> {
  await db
    .deleteFrom('change_rows')
    .where('kind', '=', 'users')
    .where((where) => where.or([where('entity_id', 'in', ids), where('name', '=', email)]))
    .where('organization_id', '=', organizationId)
    .execute();
  const named = JSON.stringify(email);
  const answers = await db
    .selectFrom('imports')
    .select(['id', 'answer'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { id, answer } of answers)
    if (answer.includes(named))
      await db
        .updateTable('imports')
        .set({ answer: answer.replaceAll(named, JSON.stringify(ERASED)) })
        .where('id', '=', id)
        .execute();
}

/** Blank values for the address, device and details of an audit log entry. */
const NOWHERE = { address: '', device: '', details: '{}' };

/** Erases a person as the author of audit log entries; the events stay. */
export async function eraseFromEvents(db: Database, organizationId: number, { ids, names }: Traces): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('audit_events')
    .set({ ...NOWHERE, user_id: null, user_name: ERASED })
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([
        where('user_id', 'in', ids),
        where.and([where('user_id', 'is', null), where('user_name', 'in', names)]),
      ]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Erases a person as the subject of audit log entries, such as failed sign-ins. */
export async function eraseFromSubjects(
  db: Database,
  organizationId: number,
  { emails, names }: Traces,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('audit_events')
    .set({ ...NOWHERE, subject: ERASED })
    .where('organization_id', '=', organizationId)
    .where('subject', 'in', [...emails, ...names])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Prefixes of rate limit keys that contain an address. */
const ATTEMPTS = ['account:', 'noted:account:', 'link:account:', 'invitation:to:'];

/** Deletes the rate limit counters of an address. */
export async function eraseFromAttempts(db: Database, email: string): Promise<void> {
  const subjects = ATTEMPTS.map((kind) => kind + email);
  await db.deleteFrom('attempts').where('subject', 'in', subjects).execute();
}

/** Moderation settings of a feed without an address to notify; undefined if they don't contain it. */
function moderationWithout(row: { moderation: string }, email: string): string | undefined {
  const moderation = moderationOf(row);
  if (!moderation.notify.includes(email)) return undefined;
  return JSON.stringify({ ...moderation, notify: moderation.notify.filter((address) => address !== email) });
}

/** Removes an address from those that feeds notify, and from the records that restore feeds. */
export async function eraseFromFeeds(db: Database, organizationId: number, email: string): Promise<void> {
  const feeds = await db
    .selectFrom('feeds')
    .select(['id', 'moderation'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const feed of feeds) {
    const moderation = moderationWithout(feed, email);
    if (moderation !== undefined) await db.updateTable('feeds').set({ moderation }).where('id', '=', feed.id).execute();
  }
  const records = await db
    .selectFrom('change_rows')
    .select(['id', 'content'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'feeds')
    .execute();
  for (const { id, content } of records) {
    const record = JSON.parse(content) as { rows?: { moderation?: string }[] };
    const rows = record.rows?.map((row) => {
      const { moderation = '{}' } = row;
      const left = moderationWithout({ moderation }, email);
      return left === undefined ? row : { ...row, moderation: left };
    });
    const left = JSON.stringify({ ...record, rows });
    if (left !== content) await db.updateTable('change_rows').set({ content: left }).where('id', '=', id).execute();
  }
}
