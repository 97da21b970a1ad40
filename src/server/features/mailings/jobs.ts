import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { fillIn, fillInLine } from '../../../contract/mailing-text.ts';
import { timestampOf } from '../../core/clock.ts';
import { isPostgres } from '../../core/db/database.ts';
import { type QueueOptions, retryAt, runQueue } from '../../core/jobs/queue.ts';
import type { Services } from '../../core/services.ts';
import { findTokens, type ListedToken } from '../access-tokens/list-tokens.ts';
import { siteOf } from '../organizations/site-of.ts';
import { type MailServer, mailServerOf, reserveTurn } from './mail-settings.ts';
import {
  claimEmail,
  completeMailing,
  completeMailings,
  type DueEmail,
  endLeases,
  findDue,
  finishEmail,
  releaseEmail,
  UNCERTAIN,
} from './queries.ts';
import { hasAddress, recipientOf, wordingOf } from './recipients.ts';
import { stopMailing } from './service.ts';
import { newMessageId, type Outcome, SmtpConnections } from './smtp.ts';

const MINUTE = 60_000;
/** Milliseconds between attempts: five attempts in an hour and a half. */
const BACKOFF = [MINUTE, 5 * MINUTE, 20 * MINUTE, 60 * MINUTE];
/** Milliseconds between queries for due e-mails. */
const POLL = 500;
/** Milliseconds for which a server leases an e-mail; longer than a turn and an attempt take. */
const LEASE = 2 * MINUTE;
/** E-mails and connections at once of an organization. */
const AT_ONCE = 5;
const MAX_ORGANIZATIONS = 50;

const INTERRUPTED = 'The server stopped before the mail server responded.';

type Shared = Pick<Services, 'db' | 'clock' | 'settings' | 'outgoing'> & { publicUrl(): string };

/** Open connections to the mail servers of organizations. */
class OpenConnections {
  readonly #services: Shared;
  readonly #open = new Map<number, { key: string; connections: Promise<SmtpConnections> }>();

  constructor(services: Shared) {
    this.#services = services;
  }

  /** The connections of an organization; new ones after its settings changed. */
  of(organizationId: number, server: MailServer): Promise<SmtpConnections> {
    const known = this.#open.get(organizationId);
    if (known?.key === server.key) return known.connections;
    this.drop(organizationId);
    const connections = SmtpConnections.to(server, this.#services, AT_ONCE);
    this.#open.set(organizationId, { key: server.key, connections });
    connections.catch(() => this.drop(organizationId));
    return connections;
  }

  /** Forgets the connections of an organization, so that its server's name is looked up again; e-mails under way are finished. */
  drop(organizationId: number): void {
    const known = this.#open.get(organizationId);
    this.#open.delete(organizationId);
    known?.connections.then((open) => open.close()).catch(() => undefined);
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.drop(id);
  }
}

/** Stores the outcome of an attempt. */
async function finish({ db, clock }: Shared, { email, mailing }: DueEmail, messageId: string, outcome: Outcome) {
  const { kind, answer } = outcome;
  const end = (values: Parameters<typeof finishEmail>[3]) =>
    finishEmail(db, email.id, messageId, { answer, ...values });
  if (kind === 'sent') await end({ state: 'sent', next_at: null, sent_at: timestampOf(clock.now()) });
  else if (kind === 'uncertain') await end(UNCERTAIN);
  else {
    const next_at = kind === 'refused' ? null : retryAt(clock, BACKOFF, email.attempts + 1);
    if (kind === 'refused' || (kind === 'later' && next_at === null)) await end({ state: 'rejected', next_at: null });
    else {
      await end({ state: 'waiting', next_at });
      // Without a mail server, all others would fail as well.
      if (kind === 'locked')
        await stopMailing(db, mailing.id, `The mail server refused the user or the password: ${answer}`);
      else if (next_at === null) await stopMailing(db, mailing.id, `The mail server couldn't be reached: ${answer}`);
    }
  }
  await completeMailing(db, mailing.id);
}

/** The mail server of an organization; null, with the mailing paused, if there is none. */
async function serverOrPause(services: Shared, { mailing }: DueEmail): Promise<MailServer | null> {
  try {
    return await mailServerOf(services, mailing.organization_id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await stopMailing(services.db, mailing.id, error.message);
    return null;
  }
}

/** Why an e-mail isn't sent to the token's holder any more; empty if it is. */
function refusalOf(token: ListedToken | undefined, { email }: DueEmail['email']): string {
  if (!token) return 'The access token was removed.';
  if (!hasAddress(token)) return 'The holder has no e-mail address any more.';
  return token.holder_email === email ? '' : 'The token has another holder now.';
}

async function deliver(services: Shared, open: OpenConnections, due: DueEmail, stopping: AbortSignal): Promise<void> {
  const { db, clock } = services;
  const { email, mailing } = due;
  const { organization_id: organizationId } = mailing;
  const server = await serverOrPause(services, due);
  if (!server) return;
  const wait = await reserveTurn(services, organizationId);
  await sleep(wait, undefined, { signal: stopping }).catch(() => undefined);
  if (stopping.aborted) return releaseEmail(db, email.id, timestampOf(clock.now()));
  const message_id = newMessageId(server.from);
  const lease = timestampOf(clock.now() + LEASE);
  if (!(await claimEmail(db, email, { lease, message_id }))) return;
  const [token] = await findTokens(db, organizationId, [email.access_token_id]);
  const refusal = refusalOf(token, email);
  if (!token || refusal) return finish(services, due, message_id, { kind: 'refused', answer: refusal });
  const { origin } = await siteOf(services, organizationId);
  const recipient = recipientOf(token, await wordingOf({ db, organizationId, origin }, mailing.language));
  const outcome = await open
    .of(organizationId, server)
    .then((connections) =>
      connections.send({
        to: { name: email.name, address: email.email },
        replyTo: mailing.reply_to,
        subject: fillInLine(mailing.subject, recipient),
        text: fillIn(mailing.text, recipient),
        messageId: message_id,
      }),
    )
    .catch((error: Error): Outcome => ({ kind: 'unreachable', answer: error.message }));
  if (outcome.kind === 'unreachable' || outcome.kind === 'locked') open.drop(organizationId);
  await finish(services, due, message_id, outcome);
}

/** How e-mails are sent: a long mailing delays only its own organization. */
function emailQueue(services: Shared, open: OpenConnections): QueueOptions {
  return {
    table: 'mailing_emails',
    lease: LEASE,
    perOrganization: AT_ONCE,
    organizations: MAX_ORGANIZATIONS,
    async run(id, stopping) {
      const due = await findDue(services.db, id);
      if (!due) return;
      // Its lease ended while it was being sent: that server crashed.
      if (due.email.state === 'sending')
        await finish(services, due, due.email.message_id, { kind: 'uncertain', answer: INTERRUPTED });
      else if (due.email.state === 'waiting') await deliver(services, open, due, stopping);
    },
  };
}

/** Sends due e-mails of mailings. */
export function sendMailings(app: FastifyInstance, services: Shared): void {
  const { db, clock } = services;
  const open = new OpenConnections(services);
  app.addHook('onReady', async () => {
    // SQLite has one server, so nothing is being sent when it starts; with several servers, leases have to end.
    if (!isPostgres(db)) await endLeases(db, timestampOf(clock.now()), INTERRUPTED);
    // A server may have crashed after its last e-mail.
    await completeMailings(db);
  });
  // Closed after the queue: hooks run in reverse order.
  app.addHook('onClose', async () => open.close());
  runQueue(app, services, { ...emailQueue(services, open), name: 'send mailings', every: POLL });
}
