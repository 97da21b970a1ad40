import type { Insertable, Selectable } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { MailSecurity, MailSettings } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate, lockOrganization } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { openToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import { findOrganization } from '../organizations/queries.ts';
import { type Account, placeOf, readMailbox, replaceMailbox, sealedPassword } from './mailbox.ts';
import type { MailSettingsTable } from './table.ts';

type SettingsRow = Selectable<MailSettingsTable>;

/** E-mails per second by default. */
const DEFAULT_RATE = 5;
/** Longest wait for a turn in milliseconds; a later one means that a clock was changed. */
const MAX_WAIT = 60_000;
/** Version of settings that were never changed. */
const UNCHANGED = timestampOf(0);

const rowsOf = (db: Database, organizationId: number) =>
  db.selectFrom('mail_settings').selectAll().where('organization_id', '=', organizationId);

/** A mail server to send through. */
export interface MailServer {
  /** Changes whenever the server, or how to sign in to it, changes. */
  key: string;
  /** The operator's mail server as a URL, or the organization's own one. */
  server: string | { host: string; port: number; security: MailSecurity; username: string; password: string };
  /** Sender of the e-mails. */
  from: string | { name: string; address: string };
}

/** Encryption context of a mail server's password. */
const sealPlaceOf = (organizationId: number, account: Account): string =>
  placeOf('mail server', organizationId, account);

/** Values of the columns of an own server. */
function ownServerOf(row: SettingsRow | undefined) {
  if (!row || row.host === null) return null;
  const { host, port, security, username, sender_name, sender_address } = row;
  return {
    host,
    port: port!,
    security: security as MailSecurity,
    username: username!,
    sender_name: sender_name!,
    sender_address: sender_address!,
  };
}

/**
 * The mail server of an organization: its own, or the operator's.
 * @throws ApiError invalid if there is none, or its password can't be decrypted
 */
export async function mailServerOf(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  organizationId: number,
): Promise<MailServer> {
  // Limited users send with it, too, although they don't see the settings.
  const row = await rowsOf(everywhere(db), organizationId).executeTakeFirst();
  const own = ownServerOf(row);
  const { SMTP_URL, MAIL_FROM } = settings;
  if (!own && SMTP_URL) return { key: 'operator', server: SMTP_URL, from: MAIL_FROM };
  if (!own || !row) throw new ApiError('invalid', 'There is no mail server. Enter one under Settings, E-mail.');
  const { host, port, security, username, sender_name: name, sender_address: address } = own;
  const password = row.sealed === null ? '' : await openToken(settings, sealPlaceOf(organizationId, own), row.sealed);
  if (password === null)
    throw new ApiError('invalid', "The password of the mail server couldn't be decrypted. Enter it again.");
  return { key: row.updated_at, server: { host, port, security, username, password }, from: { name, address } };
}

/** Mail settings in the format of the API. */
export async function readMailSettings({ db, settings, organizationId }: CallContext): Promise<MailSettings> {
  const row = await rowsOf(db, organizationId).executeTakeFirst();
  const server = ownServerOf(row);
  return {
    id: organizationId,
    source: server ? 'organization' : settings.SMTP_URL ? 'server' : null,
    server: server && { ...server, has_password: row!.sealed !== null },
    rate: row?.rate ?? DEFAULT_RATE,
    ...(await readMailbox(db, organizationId)),
    updated_at: row?.updated_at ?? UNCHANGED,
  };
}

type Body = z.output<typeof calls.mail.update.body>;

const NO_SERVER = {
  ...{ host: null, port: null, security: null, username: null },
  ...{ sealed: null, sender_name: null, sender_address: null },
};

/**
 * Columns of a new server.
 * @throws ApiError invalid
 */
async function columnsOf(context: CallContext, given: Body['server'], row: SettingsRow | undefined) {
  if (given === undefined) return {};
  if (given === null) return NO_SERVER;
  const { password, ...server } = given;
  if (server.security === 'none' && (password || server.username !== ''))
    throw new ApiError('invalid', { 'server.security': ['Choose TLS or STARTTLS to sign in with a password.'] });
  if (server.username === '') return { ...server, sealed: null };
  return { ...server, sealed: await sealedPassword(context, 'server', sealPlaceOf, given, row) };
}

/** What the change log stores. */
const loggedOf = (row: Insertable<MailSettingsTable> | undefined, mailbox: { host: string } | null | undefined) => ({
  mail_server: row?.host ?? null,
  mail_sender: row?.sender_address ?? null,
  mail_rate: row?.rate ?? DEFAULT_RATE,
  mailbox: mailbox?.host ?? null,
});

/** @throws ApiError stale or invalid */
export async function updateMailSettings(context: CallContext, body: Body): Promise<void> {
  const { organizationId, clock, outgoing } = context;
  const { server, rate, mailbox, updated_at } = body;
  if (server) await outgoing.guarded.requirePublicHost(server, 'server.host');
  if (mailbox) await outgoing.guarded.requirePublicHost(mailbox, 'mailbox.host');
  await context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const row = await rowsOf(db, organizationId).executeTakeFirst();
    refuseStale(row?.updated_at ?? UNCHANGED, updated_at);
    if (server === undefined && rate === undefined && mailbox === undefined) return;
    const columns = {
      ...(await columnsOf(context, server, row)),
      ...(rate !== undefined && { rate }),
      updated_at: nextTimestamp(clock, row?.updated_at),
    };
    const after = row ? { ...row, ...columns } : { ...newRow(organizationId, columns.updated_at), ...columns };
    if (row) await db.updateTable('mail_settings').set(columns).where('id', '=', row.id).execute();
    else await db.insertInto('mail_settings').values(after).execute();
    const boxes = await replaceMailbox({ ...context, db }, mailbox);
    const { name } = await findOrganization(db, organizationId);
    const logged = { before: loggedOf(row, boxes.before), after: loggedOf(after, boxes.after) };
    const about = { entity_id: organizationId, name, ...logged };
    await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
    await recordEvent(db, context, { event: 'settings_changed', subject: 'E-mail' });
  });
}

const newRow = (organization_id: number, at: string): Insertable<MailSettingsTable> => ({
  ...NO_SERVER,
  ...{ organization_id, rate: DEFAULT_RATE, free_at: null, created_at: at, updated_at: at },
});

/**
 * Reserves the next turn to send of an organization, so that all servers together keep its rate.
 * @returns milliseconds until the turn
 */
export async function reserveTurn(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const now = clock.now();
    await transaction
      .insertInto('mail_settings')
      .values({ ...newRow(organizationId, UNCHANGED) })
      .onConflict((conflict) => conflict.column('organization_id').doNothing())
      .execute();
    const row = await forUpdate(transaction, rowsOf(transaction, organizationId)).executeTakeFirstOrThrow();
    const free = row.free_at === null ? now : Date.parse(row.free_at);
    const at = free > now && free - now < MAX_WAIT ? free : now;
    const free_at = timestampOf(at + Math.ceil(1000 / row.rate));
    await transaction.updateTable('mail_settings').set({ free_at }).where('id', '=', row.id).execute();
    return at - now;
  });
}
