import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type {
  EmailState,
  Mailing,
  MailingEmail,
  MailingSelection,
  MailingState,
  MailTest,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { fillIn, fillInLine } from '../../../contract/mailing-text.ts';
import { LANGUAGES } from '../../../contract/viewer-texts/limits.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { timestampOf } from '../../core/clock.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { countAgainst } from '../../core/limits/attempts.ts';
import { noteMails, withinQuotas } from '../../core/limits/quotas.ts';
import { findTokens } from '../access-tokens/list-tokens.ts';
import { siteOf } from '../organizations/site-of.ts';
import { probeMailbox } from './imap.ts';
import { mailServerOf } from './mail-settings.ts';
import { findMailbox, openedMailbox } from './mailbox.ts';
import {
  type Counts,
  completeMailing,
  countEmails,
  type EmailRow,
  findEmails,
  hasUnsent,
  insertEmails,
  type MailingRow,
  mailingRows,
  readdressEmail,
  selectionOf,
  structureNames,
  updateEmails,
  updateMailing,
} from './queries.ts';
import { checkStructure, chosenTokens, hasAddress, recipientOf, selectedTokens, wordingOf } from './recipients.ts';
import { type Outcome, type Outgoing, sendOnce } from './smtp.ts';

/** Test messages of an organization in a quarter of an hour. */
const MAX_TESTS = 20;

/** Mailings in the format of the API. */
export async function readMailings(db: Database, rows: readonly MailingRow[]): Promise<Mailing[]> {
  const [first] = rows;
  if (!first) return [];
  const counts = await countEmails(
    db,
    rows.map(({ id }) => id),
  );
  const names = await structureNames(db, first.organization_id, [...new Set(rows.map((row) => row.endpoint_id))]);
  return rows.map((row) => {
    const { organization_id, created_at, state, language, selection: _, ...fields } = row;
    return {
      ...fields,
      structure: names.get(row.endpoint_id) ?? null,
      state: state as MailingState,
      language: LANGUAGES.find((name) => name === language) ?? 'en',
      selection: selectionOf(row),
      counts: counts.get(row.id) as Counts,
    };
  });
}

/** @throws ApiError not_found */
export async function readMailing({ db, organizationId }: CallContext, id: number): Promise<Mailing> {
  const row = orNotFound(await mailingRows.find(db, organizationId, id));
  return (await readMailings(db, [row]))[0]!;
}

/** An e-mail in the format of the API. */
export function readEmail(row: EmailRow): MailingEmail {
  const { organization_id, mailing_id, ...email } = row;
  return { ...email, state: email.state as EmailState, report: email.report as MailingEmail['report'] };
}

/** What a draft selects if nothing else is given. */
const EVERYBODY = '{}';

/** @throws ApiError invalid, or not_found for access tokens of another organization */
export async function createMailing(
  context: CallContext,
  { selection, ...body }: z.output<typeof calls.mailings.create.body>,
): Promise<number> {
  const { organizationId } = context;
  return context.db.transaction().execute(async (db) => {
    await checkStructure(db, organizationId, body.endpoint_id);
    if (selection.ids) await chosenTokens({ db, organizationId }, body.endpoint_id, selection.ids, 'selection.ids');
    const values = { ...body, selection: JSON.stringify(selection), state: 'draft', problem: '', started_at: null };
    return (await mailingRows.create(db, context, values)).id;
  });
}

/**
 * Changes a draft. Another structure resets its selection, unless one is given.
 * @throws ApiError not_found, stale, or invalid if it is no draft
 */
export async function updateMailingDraft(
  context: CallContext,
  id: number,
  { updated_at: seen, selection: given, ...fields }: z.output<typeof calls.mailings.update.body>,
): Promise<void> {
  const { organizationId } = context;
  await context.db.transaction().execute(async (db) => {
    if (fields.endpoint_id !== undefined) await checkStructure(db, organizationId, fields.endpoint_id);
    await mailingRows.update(db, context, id, {
      seen,
      values: async (row) => {
        if (row.state !== 'draft')
          throw new ApiError(
            'invalid',
            'Sending has started, so the mailing can no longer be changed. Create another one.',
          );
        const { endpoint_id = row.endpoint_id } = fields;
        const isMoved = endpoint_id !== row.endpoint_id;
        const selection = given ? JSON.stringify(given) : isMoved ? EVERYBODY : row.selection;
        // Chosen tokens that were removed meanwhile stay in the selection.
        if (given?.ids && (isMoved || selection !== row.selection))
          await chosenTokens({ db, organizationId }, endpoint_id, given.ids, 'selection.ids');
        return { ...fields, selection };
      },
    });
  });
}

/** @throws ApiError not_found, or in_use while it is being sent */
export async function removeMailing(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const { state } = orNotFound(await mailingRows.lock(db, context.organizationId, id));
    if (state === 'sending') throw new ApiError('in_use', 'The mailing is being sent. Pause it first.');
    await mailingRows.remove(db, context, id);
  });
}

/** Runs a change of a mailing's e-mails with the mailing locked. */
async function changing(
  context: CallContext,
  id: number,
  work: (db: Database, row: MailingRow) => Promise<void>,
): Promise<void> {
  await withinQuotas(context, ['mails'], async (db) => {
    const row = orNotFound(await mailingRows.lock(db, context.organizationId, id));
    await work(db, row);
  });
}

/** Counts e-mails against the organization's limit. */
async function countMails(db: Database, { clock, organizationId }: CallContext, count: number): Promise<void> {
  for (const some of chunksOf(Array.from({ length: count }))) await noteMails(db, clock, organizationId, some.length);
}

/** Records that e-mails are sent. */
const recordSending = (db: Database, context: CallContext, { name }: MailingRow, details: object) =>
  recordEvent(db, context, { event: 'mailing_sent', subject: name, details });

/**
 * Queues e-mails to the selected access tokens that the mailing doesn't include yet.
 * @throws ApiError not_found, quota, or invalid if there is nobody to send to, or no mail server
 */
export async function startSending(context: CallContext, id: number, selected: MailingSelection): Promise<void> {
  const { organizationId, clock } = context;
  const draft = orNotFound(await mailingRows.find(context.db, organizationId, id));
  const tokens = await selectedTokens(context, draft.endpoint_id, selected, draft);
  const addressed = tokens.filter(hasAddress);
  if (addressed.length === 0)
    throw new ApiError('invalid', { ids: ['None of these access tokens has an e-mail address.'] });
  await mailServerOf(context, organizationId);
  const at = timestampOf(clock.now());
  await changing(context, id, async (db, row) => {
    if (row.state === 'paused') throw new ApiError('invalid', 'The mailing is paused. Resume it first.');
    if (row.updated_at !== draft.updated_at)
      throw new ApiError('invalid', 'The mailing has just been changed. Look at it again before you send it.');
    const added = await insertEmails(
      db,
      addressed.map((token) => ({
        ...{ organization_id: organizationId, mailing_id: id, access_token_id: token.id },
        ...{ name: token.holder_name ?? '', email: token.holder_email, state: 'waiting', attempts: 0, next_at: at },
        ...{ answer: '', message_id: '', sent_at: null },
      })),
    );
    if (await hasUnsent(db, id))
      await updateMailing(db, id, { state: 'sending', problem: '', started_at: row.started_at ?? at });
    if (added === 0) return;
    await countMails(db, context, added);
    await recordSending(db, context, row, { emails: added });
  });
}

/** Stops taking e-mails; those being handed over are finished. @throws ApiError not_found, or invalid */
export async function pauseMailing(context: CallContext, id: number): Promise<void> {
  await changing(context, id, async (db, { state }) => {
    if (state === 'paused') return;
    if (state !== 'sending') throw new ApiError('invalid', 'The mailing is not being sent.');
    await stopMailing(db, id, '');
  });
}

/** Pauses a mailing. @param problem why the server does so; empty if a person does */
export async function stopMailing(db: Database, id: number, problem: string): Promise<void> {
  await updateMailing(db, id, { state: 'paused', problem });
  await updateEmails(db, id, { states: ['waiting'] }, { next_at: null });
}

/** Continues a paused mailing, with as many attempts as a new one. @throws ApiError not_found, or invalid */
export async function resumeMailing(context: CallContext, id: number): Promise<void> {
  orNotFound(await mailingRows.find(context.db, context.organizationId, id));
  await mailServerOf(context, context.organizationId);
  const next_at = timestampOf(context.clock.now());
  await changing(context, id, async (db, { state }) => {
    if (state === 'sending') return;
    if (state !== 'paused') throw new ApiError('invalid', 'The mailing is not paused.');
    await updateMailing(db, id, { state: 'sending', problem: '' });
    await updateEmails(db, id, { states: ['waiting'] }, { next_at, attempts: 0 });
    await completeMailing(db, id);
  });
}

/** The given e-mails. @throws ApiError not_found, or invalid, if any of them doesn't exist or has another state */
async function requireEmails(db: Database, id: number, ids: readonly number[], states: readonly EmailState[]) {
  const found = await findEmails(db, id, ids);
  if (found.length < new Set(ids).size) orNotFound(undefined);
  if (found.some(({ state }) => !states.includes(state as EmailState)))
    throw new ApiError('invalid', { ids: [`Choose e-mails with the state ${states.join(' or ')}. Reload the list.`] });
  return found;
}

/** Takes over the current names and addresses of the holders; an e-mail whose holder has none stays as it is. */
async function readdress(db: Database, organizationId: number, emails: Awaited<ReturnType<typeof findEmails>>) {
  const ids = emails.map(({ access_token_id }) => access_token_id);
  const tokens = new Map((await findTokens(db, organizationId, ids)).map((token) => [Number(token.id), token]));
  for (const { id, access_token_id, name, email } of emails) {
    const token = tokens.get(access_token_id);
    if (!token || !hasAddress(token)) continue;
    const current = { name: token.holder_name ?? '', email: token.holder_email };
    if (current.name !== name || current.email !== email) await readdressEmail(db, id, current);
  }
}

const RESENT = ['rejected', 'returned', 'uncertain', 'sent'] as const;

/** Sends chosen e-mails once more, to the current holders. @throws ApiError not_found, quota or invalid */
export async function resendEmails(context: CallContext, id: number, given: readonly number[]): Promise<void> {
  const ids = [...new Set(given)];
  orNotFound(await mailingRows.find(context.db, context.organizationId, id));
  await mailServerOf(context, context.organizationId);
  const next_at = timestampOf(context.clock.now());
  await changing(context, id, async (db, row) => {
    const emails = await requireEmails(db, id, ids, RESENT);
    if (row.state === 'paused') throw new ApiError('invalid', 'The mailing is paused. Resume it first.');
    await readdress(db, context.organizationId, emails);
    await updateEmails(
      db,
      id,
      { ids, states: RESENT },
      { state: 'waiting', attempts: 0, next_at, answer: '', report: null },
    );
    await countMails(db, context, ids.length);
    await updateMailing(db, id, { state: 'sending', problem: '' });
    await recordSending(db, context, row, { emails: ids.length, again: true });
  });
}

/** Marks uncertain e-mails as sent. @throws ApiError not_found or invalid */
export async function markSent(context: CallContext, id: number, given: readonly number[]): Promise<void> {
  const ids = [...new Set(given)];
  await changing(context, id, async (db) => {
    await requireEmails(db, id, ids, ['uncertain']);
    await updateEmails(db, id, { ids, states: ['uncertain'] }, { state: 'sent' });
  });
}

/** Sends a message to the caller's own address. @throws ApiError too_many, quota, or invalid without a mail server */
async function sendToCaller(context: SignedInContext, message: Omit<Outgoing, 'to' | 'messageId'>): Promise<MailTest> {
  const { db, clock, organizationId, user } = context;
  const server = await mailServerOf(context, organizationId);
  await countAgainst(db, clock, [{ subject: `mail-test:${organizationId}`, most: MAX_TESTS }]);
  await withinQuotas(context, ['mails'], (transaction) => noteMails(transaction, clock, organizationId));
  const outcome = await sendOnce(context, server, { ...message, to: { name: user.name, address: user.email } });
  return { works: outcome.kind === 'sent', text: testText(outcome, user.email) };
}

/** Result of a test message as a sentence. */
function testText({ kind, answer }: Outcome, address: string): string {
  if (kind === 'sent') return `Sent to ${address}.`;
  if (kind === 'locked') return `The mail server refused the user or the password: ${answer}`;
  if (kind === 'unreachable') return `The mail server couldn't be reached: ${answer}`;
  if (kind === 'uncertain') return `The mail server didn't confirm the message: ${answer}`;
  return `The mail server refused the message: ${answer}`;
}

/** Sends a short test message. */
export const testMailServer = (context: SignedInContext): Promise<MailTest> =>
  sendToCaller(context, {
    replyTo: null,
    subject: 'Test message',
    text: 'Your organization can send e-mails with this mail server.',
  });

/** Connects to the organization's mailbox. @throws ApiError too_many, or invalid if there is none */
export async function testMailbox(context: SignedInContext): Promise<MailTest> {
  const { db, clock, settings, organizationId } = context;
  const row = await findMailbox(db, organizationId);
  if (!row) throw new ApiError('invalid', 'There is no mailbox. Save one first.');
  const mailbox = await openedMailbox(settings, row);
  await countAgainst(db, clock, [{ subject: `mail-test:${organizationId}`, most: MAX_TESTS }]);
  return probeMailbox(context, mailbox).then(
    ({ messages, reports }) => ({
      works: true,
      text: `Connected. The folder ${row.folder} has ${messages} messages, of which ${reports} are reports of the last 30 days.`,
    }),
    ({ message }: Error) => ({ works: false, text: message }),
  );
}

/** Sends a mailing to the caller's address, as its first recipient would get it. @throws ApiError not_found, too_many, quota or invalid */
export async function testMailing(context: SignedInContext, id: number, selected: MailingSelection): Promise<MailTest> {
  const { db, organizationId } = context;
  const row = orNotFound(await mailingRows.find(db, organizationId, id));
  const token = (await selectedTokens(context, row.endpoint_id, selected, row)).find(hasAddress);
  if (!token) throw new ApiError('invalid', { ids: ['None of these access tokens has an e-mail address.'] });
  const { origin } = await siteOf(context, organizationId);
  const recipient = recipientOf(token, await wordingOf({ db, organizationId, origin }, row.language));
  return sendToCaller(context, {
    replyTo: row.reply_to,
    subject: fillInLine(row.subject, recipient),
    text: fillIn(row.text, recipient),
  });
}
