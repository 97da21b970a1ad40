import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { DeliveryReport } from '../../core/files/inspect/mail/delivery-report.ts';
import { runQueue } from '../../core/jobs/queue.ts';
import type { Services } from '../../core/services.ts';
import { MailboxError, type Position, visitMailbox } from './imap.ts';
import { type MailboxRow, mailboxById, openedMailbox } from './mailbox.ts';
import { applyReport } from './queries.ts';

const MINUTE = 60_000;
/** Milliseconds between visits to a mailbox. */
const PAUSE = 5 * MINUTE;
/** Milliseconds until the next visit after a failed one, by number of failures: servers lock accounts after repeated failures. */
const FAILURE_PAUSES = [5 * MINUTE, 20 * MINUTE, 60 * MINUTE] as const;
/** Milliseconds between queries for due mailboxes. */
const POLL = 2000;
/** Milliseconds for which a server leases a mailbox; longer than a visit, and reading its messages, can take. */
const LEASE = 10 * MINUTE;
const MAX_ORGANIZATIONS = 10;

type Shared = Pick<Services, 'db' | 'clock' | 'settings' | 'outgoing' | 'workers'>;

/** Ends a visit, unless the mailbox was changed meanwhile. */
async function endVisit(
  db: Database,
  { id, updated_at }: MailboxRow,
  values: Partial<Position> &
    Pick<MailboxRow, 'problem' | 'attempts' | 'next_at'> &
    Partial<Pick<MailboxRow, 'read_at'>>,
): Promise<void> {
  const query = db.updateTable('mailboxes').set(values).where('id', '=', id);
  await query.where('updated_at', '=', updated_at).execute();
}

/** Reads a message in a worker; null for none that matters. */
const reportIn = (workers: Shared['workers'], message: Uint8Array): Promise<DeliveryReport | null> =>
  workers.run('readDeliveryReport', message).catch((error: unknown) => {
    // Other errors are the server's, which may succeed at the next visit.
    if (error instanceof ApiError && error.code === 'invalid') return null;
    throw error;
  });

/** Reads a mailbox, and applies the reports to the e-mails they are about. */
async function readReports(services: Shared, id: number): Promise<void> {
  const { db, clock, settings, workers } = services;
  const row = await mailboxById(db, id);
  if (!row) return;
  try {
    const { messages, position, isMore } = await visitMailbox(services, await openedMailbox(settings, row), row);
    for (const message of messages) {
      const report = await reportIn(workers, message);
      if (report) await applyReport(db, row.organization_id, report, timestampOf(clock.now()));
    }
    // Stored only after the reports: a crash in between reads them again, which changes nothing.
    const next_at = timestampOf(clock.now() + (isMore ? 0 : PAUSE));
    await endVisit(db, row, { ...position, read_at: timestampOf(clock.now()), problem: '', attempts: 0, next_at });
  } catch (error) {
    if (!(error instanceof MailboxError || error instanceof ApiError)) throw error;
    const pause = FAILURE_PAUSES[Math.min(row.attempts, FAILURE_PAUSES.length - 1)]!;
    const next_at = timestampOf(clock.now() + pause);
    await endVisit(db, row, { problem: error.message, attempts: row.attempts + 1, next_at });
  }
}

/** Reads delivery reports from mailboxes of organizations. */
export function readDeliveryReports(app: FastifyInstance, services: Shared): void {
  runQueue(app, services, {
    ...{ name: 'read delivery reports', every: POLL, table: 'mailboxes', lease: LEASE },
    ...{ perOrganization: 1, organizations: MAX_ORGANIZATIONS },
    run: (id) => readReports(services, id),
  });
}
