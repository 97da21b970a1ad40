import { timestampOf } from '../../base/clock.ts';
import type { Services } from '../services.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds for which entries are kept. */
const KEPT_FOR = 365 * DAY_MS;
/** Milliseconds for which what was removed can be brought back. */
export const RESTORABLE_FOR = 30 * DAY_MS;

/** Forgets old entries of the change log, and what brings back that which was removed long ago. */
export async function sweepChanges({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db
    .deleteFrom('changes')
    .where('at', '<', timestampOf(now - KEPT_FOR))
    .execute();
  await db
    .updateTable('changes')
    .set({ content: null, is_restorable: 0 })
    .where('is_restorable', '=', 1)
    .where('at', '<', timestampOf(now - RESTORABLE_FOR))
    .execute();
  await db
    .deleteFrom('imports')
    .where('at', '<', timestampOf(now - KEPT_FOR))
    .execute();
  await db
    .updateTable('imports')
    .set({ idempotency_key: null })
    .where('at', '<', timestampOf(now - RESTORABLE_FOR))
    .execute();
  await db
    .deleteFrom('import_steps')
    .where('import_id', 'in', (query) =>
      query
        .selectFrom('imports')
        .select('imports.id')
        .where('at', '<', timestampOf(now - RESTORABLE_FOR)),
    )
    .execute();
}
