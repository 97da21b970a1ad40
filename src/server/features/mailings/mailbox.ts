import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { MailSettings } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import type { MailboxTable } from './table.ts';

export type MailboxRow = Selectable<MailboxTable>;

/** A user of a server. */
export interface Account {
  host: string;
  username: string;
}

/** Encryption context of a password: it can't be decrypted for another organization, server or user. */
export const placeOf = (kind: string, organizationId: number, { host, username }: Account): string =>
  `${kind} ${organizationId} ${username} ${host}`;

const mailboxPlace = (organizationId: number, account: Account): string => placeOf('mailbox', organizationId, account);

/**
 * The sealed password of an account. A stored one stays only for the same server and user, so that nobody can send it
 * elsewhere.
 * @param field input field of the account, for errors
 * @throws ApiError invalid if a password is missing
 */
export async function sealedPassword(
  { settings, organizationId }: Pick<CallContext, 'settings' | 'organizationId'>,
  field: string,
  sealPlace: typeof mailboxPlace,
  given: Account & { password?: string | undefined },
  row: { host: string | null; username: string | null; sealed: string | null } | undefined,
): Promise<string> {
  if (given.password) return sealToken(settings, sealPlace(organizationId, given), given.password);
  const isSame = row?.host === given.host && row.username === given.username;
  if (given.password === undefined && isSame && row.sealed !== null) return row.sealed;
  throw new ApiError('invalid', { [`${field}.password`]: ['Enter the password for this server and user.'] });
}

const rowsOf = (db: Database, organizationId: number) =>
  db.selectFrom('mailboxes').selectAll().where('organization_id', '=', organizationId);

/** The mailbox in the format of the API. */
export async function readMailbox(
  db: Database,
  organizationId: number,
): Promise<Pick<MailSettings, 'mailbox' | 'mailbox_read_at' | 'mailbox_problem'>> {
  const row = await rowsOf(db, organizationId).executeTakeFirst();
  if (!row) return { mailbox: null, mailbox_read_at: null, mailbox_problem: '' };
  const { host, port, security, username, folder, read_at, problem } = row;
  const mailbox = { host, port, security, username, folder, has_password: true };
  return { mailbox, mailbox_read_at: read_at, mailbox_problem: problem };
}

/**
 * Replaces or removes the mailbox. A new one, or another folder, is read from the start.
 * @param given undefined for no change
 * @throws ApiError invalid
 */
export async function replaceMailbox(
  context: Pick<CallContext, 'db' | 'clock' | 'settings' | 'organizationId'>,
  given: z.output<typeof calls.mail.update.body>['mailbox'],
): Promise<{ before: Account | undefined; after: Account | null | undefined }> {
  const { db, clock, organizationId } = context;
  const before = await rowsOf(db, organizationId).executeTakeFirst();
  if (given === undefined) return { before, after: before };
  if (given === null) {
    await db.deleteFrom('mailboxes').where('organization_id', '=', organizationId).execute();
    return { before, after: null };
  }
  const { password, ...account } = given;
  const sealed = await sealedPassword(context, 'mailbox', mailboxPlace, given, before);
  const updated_at = nextTimestamp(clock, before?.updated_at);
  const isSame = (['host', 'username', 'folder'] as const).every((name) => before?.[name] === account[name]);
  const columns = {
    ...{ ...account, sealed, updated_at, problem: '', attempts: 0, next_at: timestampOf(clock.now()) },
    ...(!isSame && { uid_validity: null, last_uid: 0, read_at: null }),
  };
  if (before) await db.updateTable('mailboxes').set(columns).where('id', '=', before.id).execute();
  else {
    const fresh = { organization_id: organizationId, created_at: updated_at, uid_validity: null, last_uid: 0 };
    await db
      .insertInto('mailboxes')
      .values({ ...fresh, read_at: null, ...columns })
      .execute();
  }
  return { before, after: account };
}

/** A mailbox with its password. */
export type OpenedMailbox = Pick<MailboxRow, 'host' | 'port' | 'security' | 'username' | 'folder'> & {
  password: string;
};

/** @throws ApiError invalid if the password can't be decrypted */
export async function openedMailbox(settings: Services['settings'], row: MailboxRow): Promise<OpenedMailbox> {
  const password = await openToken(settings, mailboxPlace(row.organization_id, row), row.sealed);
  if (password === null)
    throw new ApiError('invalid', "The password of the mailbox couldn't be decrypted. Enter it again.");
  return { ...row, password };
}

/** The mailbox of an organization; undefined for none. */
export const findMailbox = (db: Database, organizationId: number): Promise<MailboxRow | undefined> =>
  rowsOf(db, organizationId).executeTakeFirst();

/** A mailbox by id; undefined if it was removed. */
export const mailboxById = (db: Database, id: number): Promise<MailboxRow | undefined> =>
  db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirst();
