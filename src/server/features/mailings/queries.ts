import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { EMAIL_STATES, type EmailState, type MailingSelection } from '../../../contract/entities.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Stamp } from '../../core/db/column-types.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import type { DeliveryReport } from '../../core/files/inspect/mail/delivery-report.ts';
import type { MailingEmailTable, MailingTable } from './table.ts';

export type MailingRow = Selectable<MailingTable>;
export type EmailRow = Selectable<MailingEmailTable>;

/** The stored selection of a mailing's recipients. */
export const selectionOf = ({ selection }: Pick<MailingRow, 'selection'>): MailingSelection => JSON.parse(selection);

/** A selection in words, without ids, and without search words, which may name a person. */
function selectionText({ ids, filter = {} }: MailingSelection): string {
  if (ids) return ids.length === 1 ? '1 access token' : `${ids.length} access tokens`;
  return [filter.state, filter.group, filter.search && 'search'].filter(Boolean).join(', ') || 'all access tokens';
}

/** What the change log stores of a mailing. */
const loggedOf = ({ endpoint_id, name, subject, text, reply_to, language, selection }: MailingRow) => ({
  ...{ endpoint_id, name, subject, text, reply_to, language },
  recipients: selectionText(selectionOf({ selection })),
});

export const mailingRows = recordedRows('mailings', { entity: 'mailing', logged: loggedOf });

/** Number of e-mails by state. */
export type Counts = Record<EmailState, number>;

/** A page of an organization's mailings, newest first, and the total. */
export async function listMailings(
  db: Database,
  organizationId: number,
  query: Paging & { endpoint_id?: number | undefined },
): Promise<{ rows: MailingRow[]; total: number }> {
  let found = db.selectFrom('mailings').where('organization_id', '=', organizationId);
  if (query.endpoint_id !== undefined) found = found.where('endpoint_id', '=', query.endpoint_id);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('id', 'desc').limit(query.per_page).offset(offsetOf(query)).execute();
  return { rows, total: Number(total) };
}

/** Names of the structures of mailings, by id. */
export async function structureNames(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('endpoints')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Number of e-mails by state, of each of these mailings. */
export async function countEmails(db: Database, ids: readonly number[]): Promise<Map<number, Counts>> {
  const none = () => Object.fromEntries(EMAIL_STATES.map((state) => [state, 0])) as Counts;
  const counts = new Map(ids.map((id) => [id, none()]));
  if (ids.length === 0) return counts;
  const rows = await db
    .selectFrom('mailing_emails')
    .select(['mailing_id', 'state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('mailing_id', 'in', ids)
    .groupBy(['mailing_id', 'state'])
    .execute();
  for (const { mailing_id, state, count } of rows) counts.get(mailing_id)![state as EmailState] = Number(count);
  return counts;
}

/** A page of a mailing's e-mails, and the total. */
export async function listEmails(
  db: Database,
  mailingId: number,
  query: Paging & { state?: EmailState | undefined },
): Promise<{ rows: EmailRow[]; total: number }> {
  let found = db.selectFrom('mailing_emails').where('mailing_id', '=', mailingId);
  if (query.state) found = found.where('state', '=', query.state);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const ordered = found.selectAll().orderBy('access_token_id');
  const rows = await ordered.limit(query.per_page).offset(offsetOf(query)).execute();
  return { rows, total: Number(total) };
}

/** What a change of chosen e-mails needs to know. */
type FoundEmail = Pick<EmailRow, 'id' | 'state' | 'access_token_id' | 'name' | 'email'>;

/** The given e-mails of a mailing. */
export async function findEmails(db: Database, mailingId: number, ids: readonly number[]): Promise<FoundEmail[]> {
  const found: FoundEmail[] = [];
  for (const some of chunksOf(ids))
    found.push(
      ...(await db
        .selectFrom('mailing_emails')
        .select(['id', 'state', 'access_token_id', 'name', 'email'])
        .where('mailing_id', '=', mailingId)
        .where('id', 'in', some)
        .execute()),
    );
  return found;
}

/** Access tokens that a mailing already includes. */
export async function tokensIn(db: Database, mailingId: number): Promise<Set<number>> {
  const query = db.selectFrom('mailing_emails').select('access_token_id').where('mailing_id', '=', mailingId);
  return new Set((await query.execute()).map(({ access_token_id }) => access_token_id));
}

/** Adds e-mails; an access token that the mailing already includes is skipped. @returns the number of added ones */
export async function insertEmails(db: Database, values: Insertable<MailingEmailTable>[]): Promise<number> {
  let added = 0n;
  for (const some of chunksOf(values)) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('mailing_emails')
      .values(some)
      .onConflict((conflict) => conflict.columns(['mailing_id', 'access_token_id']).doNothing())
      .executeTakeFirstOrThrow();
    added += numInsertedOrUpdatedRows;
  }
  return Number(added);
}

/** Changes the given e-mails of a mailing that are in one of these states. */
export async function updateEmails(
  db: Database,
  mailingId: number,
  { ids, states }: { ids?: readonly number[]; states: readonly EmailState[] },
  values: Updateable<MailingEmailTable>,
): Promise<void> {
  const query = db
    .updateTable('mailing_emails')
    .set(values)
    .where('mailing_id', '=', mailingId)
    .where('state', 'in', states);
  if (!ids) await query.execute();
  else for (const some of chunksOf(ids)) await query.where('id', 'in', some).execute();
}

/** Changes the recipient of an e-mail. */
export async function readdressEmail(db: Database, id: number, to: Pick<EmailRow, 'name' | 'email'>): Promise<void> {
  await db.updateTable('mailing_emails').set(to).where('id', '=', id).execute();
}

/** Updates the state of a mailing. It isn't an edit, so it leaves no change record. */
export async function updateMailing(
  db: Database,
  id: number,
  values: Pick<Updateable<MailingTable>, 'state' | 'problem' | 'started_at'>,
): Promise<void> {
  await db.updateTable('mailings').set(values).where('id', '=', id).execute();
}

/** Whether a mailing has e-mails that wait or are being sent. */
export async function hasUnsent(db: Database, id: number): Promise<boolean> {
  const query = db.selectFrom('mailing_emails').select('id').where('mailing_id', '=', id);
  return (await query.where('state', 'in', ['waiting', 'sending']).limit(1).executeTakeFirst()) !== undefined;
}

const oneOf = (db: Database, id: number) => db.selectFrom('mailings').select(['id', 'state']).where('id', '=', id);

/**
 * Marks a mailing as done once nothing is left to send. Looks only after the mailing is locked: a statement that waits for
 * the lock wouldn't see the e-mails that were added meanwhile.
 */
export async function completeMailing(database: Database, id: number): Promise<void> {
  const complete = async (db: Database) => {
    const row = await forUpdate(db, oneOf(db, id)).executeTakeFirst();
    if (row?.state === 'sending' && !(await hasUnsent(db, id))) await updateMailing(db, id, { state: 'done' });
  };
  await (database.isTransaction ? complete(database) : database.transaction().execute(complete));
}

/** Marks all mailings as done that have nothing left to send. */
export async function completeMailings(db: Database): Promise<void> {
  const sending = await db.selectFrom('mailings').select('id').where('state', '=', 'sending').execute();
  for (const { id } of sending) await completeMailing(db, id);
}

/** An e-mail, and the mailing that it belongs to. */
export interface DueEmail {
  email: EmailRow;
  mailing: MailingRow;
}

/** An e-mail to send; undefined if its mailing was removed. */
export async function findDue(db: Database, id: number): Promise<DueEmail | undefined> {
  const email = await db.selectFrom('mailing_emails').selectAll().where('id', '=', id).executeTakeFirst();
  const mailing =
    email && (await db.selectFrom('mailings').selectAll().where('id', '=', email.mailing_id).executeTakeFirst());
  return mailing && { email, mailing };
}

/**
 * Takes an e-mail for one attempt, if it still waits and its mailing isn't paused. Committed before anything reaches the
 * mail server: after a crash, the state shows that the outcome is unknown.
 * @param lease end of the lease
 * @returns whether this server has it
 */
export async function claimEmail(
  db: Database,
  { id, attempts }: EmailRow,
  { lease, message_id }: { lease: Stamp; message_id: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailing_emails')
    .set({ state: 'sending', attempts: attempts + 1, next_at: lease, message_id })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .where('mailing_id', 'in', (query) =>
      query.selectFrom('mailings').select('mailings.id').where('mailings.state', '=', 'sending'),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Stores the outcome of an attempt. If the lease ended before, the e-mail became uncertain, and the outcome still counts;
 * a later attempt or a person's decision does not change any more.
 */
export async function finishEmail(
  db: Database,
  id: number,
  message_id: string,
  values: Updateable<MailingEmailTable>,
): Promise<void> {
  await db
    .updateTable('mailing_emails')
    .set(values)
    .where('id', '=', id)
    .where('message_id', '=', message_id)
    .where('state', 'in', ['sending', 'uncertain'])
    .execute();
}

/**
 * Stores a delivery report, which also proves that an uncertain e-mail was accepted. Of a returned e-mail, only the first
 * report counts; a report about an earlier attempt changes nothing.
 */
export async function applyReport(
  db: Database,
  organizationId: number,
  { messageId, action, text }: DeliveryReport,
  at: Stamp,
): Promise<void> {
  const isFailed = action === 'failed';
  const outcome = isFailed
    ? { state: 'returned' }
    : { state: 'sent', report: action, sent_at: sql<string>`coalesce(sent_at, ${at})` };
  const found = await db
    .selectFrom('mailing_emails')
    .select(['id', 'mailing_id'])
    .where('organization_id', '=', organizationId)
    .where('message_id', '=', messageId)
    .execute();
  for (const { id, mailing_id } of found) {
    await db
      .updateTable('mailing_emails')
      .set({ ...outcome, answer: text, next_at: null })
      .where('id', '=', id)
      .where('message_id', '=', messageId)
      .where('state', 'in', ['sending', 'sent', 'uncertain'])
      .execute();
    await completeMailing(db, mailing_id);
  }
}

/** Values of an e-mail whose outcome is unknown. */
export const UNCERTAIN = { state: 'uncertain', next_at: null } as const;

/**
 * Ends the leases of a server that crashed, as the only server of a database: what it was sending is uncertain, and what
 * it had not begun is due again.
 * @param answer what uncertain e-mails show
 */
export async function endLeases(db: Database, at: Stamp, answer: string): Promise<void> {
  await db
    .updateTable('mailing_emails')
    .set({ next_at: at })
    .where('next_at', '>', at)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .execute();
  await db
    .updateTable('mailing_emails')
    .set({ ...UNCERTAIN, answer })
    .where('next_at', 'is not', null)
    .where('state', '=', 'sending')
    .execute();
}

/** Returns a leased e-mail that was not attempted. */
export async function releaseEmail(db: Database, id: number, at: Stamp): Promise<void> {
  await db
    .updateTable('mailing_emails')
    .set({ next_at: at })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('next_at', 'is not', null)
    .execute();
}

/** Replaces search words that contain an erased address. They match nobody. */
const ERASED = 'Erased person';

/** Erases addresses from the selections of mailings. @returns the number of changed mailings */
async function eraseFromSelections(db: Database, organizationId: number, emails: readonly string[]): Promise<number> {
  const rows = await db
    .selectFrom('mailings')
    .select(['id', 'selection'])
    .where('organization_id', '=', organizationId)
    .where('selection', 'like', '%"search"%')
    .execute();
  let count = 0;
  for (const row of rows) {
    const selection = selectionOf(row);
    const search = selection.filter?.search?.toLowerCase();
    if (!emails.some((email) => search?.includes(email))) continue;
    const left = JSON.stringify({ ...selection, filter: { ...selection.filter, search: ERASED } });
    await db.updateTable('mailings').set({ selection: left }).where('id', '=', row.id).execute();
    count++;
  }
  return count;
}

/**
 * Erases a person: deletes the e-mails to these addresses, and completes the mailings that waited only for them.
 * @returns the numbers of deleted e-mails and of other traces
 */
export async function eraseEmails(
  db: Database,
  organizationId: number,
  emails: readonly string[],
): Promise<{ deleted: number; selections: number }> {
  const selections = await eraseFromSelections(db, organizationId, emails);
  const found = await db
    .selectFrom('mailing_emails')
    .select('mailing_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('email', 'in', emails)
    .orderBy('mailing_id')
    .execute();
  // Mailings are locked before their e-mails, as everywhere.
  for (const { mailing_id } of found) await forUpdate(db, oneOf(db, mailing_id)).execute();
  const { numDeletedRows } = await db
    .deleteFrom('mailing_emails')
    .where('organization_id', '=', organizationId)
    .where('email', 'in', emails)
    .executeTakeFirstOrThrow();
  for (const { mailing_id } of found) await completeMailing(db, mailing_id);
  return { deleted: Number(numDeletedRows), selections };
}
