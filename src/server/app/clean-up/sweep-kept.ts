import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import { removeOldMessages } from '../../core/mail/outbox.ts';
import type { Services } from '../../core/services.ts';
import { deleteEventsBefore } from '../../features/audit/queries.ts';
import { deleteBulkJobsBefore } from '../../features/bulk/queries.ts';
import { eraseShares, findOldShares, findRemovedShares } from '../../features/feeds/shares.ts';
import { listOrganizations } from '../../features/organizations/queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Retention of bulk job results in milliseconds. */
const BULK_JOBS_KEPT = 7 * DAY_MS;
/** Visitor messages deleted per batch. */
const SWEEP_BATCH = 200;

/** Deletes an organization's expired and long-deleted visitor content. */
async function sweepShares(
  services: Services,
  organizationId: number,
  before: string,
  find: typeof findOldShares,
): Promise<void> {
  for (;;) {
    const old = await find(services.db, organizationId, before, SWEEP_BATCH);
    if (old.length === 0) return;
    await eraseShares(services, organizationId, old);
  }
}

/**
 * Deletes audit log entries and visitor content after each organization's retention period, and outbox messages after
 * `OUTBOX_DAYS`.
 */
export async function sweepKept(services: Services): Promise<void> {
  const { db, clock, settings } = services;
  const now = clock.now();
  for (const { id, audit_days, shares_days } of await listOrganizations(db)) {
    await deleteEventsBefore(db, id, timestampOf(now - audit_days * DAY_MS));
    if (shares_days !== null) await sweepShares(services, id, timestampOf(now - shares_days * DAY_MS), findOldShares);
    await sweepShares(services, id, timestampOf(now - RESTORABLE_FOR), findRemovedShares);
  }
  await deleteBulkJobsBefore(db, timestampOf(now - BULK_JOBS_KEPT));
  await removeOldMessages(settings, now - settings.OUTBOX_DAYS * DAY_MS);
}
