import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { storageOf } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';

type Shared = Pick<Services, 'db' | 'clock'>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days for which the figures of the previous month are still completed: visits are counted a little later. */
const COMPLETED_FOR = 2;

/** Usage of an organization in a month. */
interface MonthFigures {
  storage: number;
  visits: number;
  active_users: number;
  seats: number;
  emails: number;
}

/** The month of an instant in UTC, such as 2026-11. */
export const monthOf = (milliseconds: number): string => timestampOf(milliseconds).slice(0, 7);

/** The month of an instant, and the one that ended a short time ago, if any. */
const monthsOf = (milliseconds: number): string[] => [
  ...new Set([milliseconds, milliseconds - COMPLETED_FOR * DAY_MS].map(monthOf)),
];

/** The first instant after a month, as a timestamp. */
function endOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return timestampOf(Date.UTC(year, number, 1));
}

async function visitsIn(db: Database, organizationId: number, month: string): Promise<number> {
  const { total } = await db
    .selectFrom('statistics_hours')
    .select(({ fn }) => fn.sum<number | null>('count').as('total'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'visit')
    .where('hour', '>=', `${month}-01T00`)
    .where('hour', '<', endOf(month).slice(0, 13))
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** Number of users who signed in, or whose session was used, in a month. */
async function activeUsersIn(db: Database, organizationId: number, month: string): Promise<number> {
  const [from, till] = [`${month}-01T00:00:00.000Z`, endOf(month)];
  const { total } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .where(({ and, eb, exists, or, selectFrom }) =>
      or([
        and([eb('last_seen_at', '>=', from), eb('last_seen_at', '<', till)]),
        exists(
          selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.user_id', '=', 'users.id')
            .where('sessions.last_used_at', '>=', from)
            .where('sessions.last_used_at', '<', till),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function emailsIn(db: Database, organizationId: number, month: string): Promise<number> {
  const { total } = await db
    .selectFrom('mailing_emails')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .where('sent_at', '>=', `${month}-01T00:00:00.000Z`)
    .where('sent_at', '<', endOf(month))
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function seatsOf(db: Database, organizationId: number): Promise<number> {
  const { total } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .where('is_active', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(total);
}

const stored = (db: Database, organizationId: number, month: string) =>
  db
    .selectFrom('organization_months')
    .selectAll()
    .where('month', '=', month)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** Stores the larger of the known and the new figures, so that deletions and retention periods don't lower them. */
async function store(
  db: Database,
  clock: Clock,
  { organizationId, month }: { organizationId: number; month: string },
  figures: MonthFigures,
): Promise<void> {
  const larger = (column: keyof MonthFigures) => (known: MonthFigures) => Math.max(figures[column], known[column]);
  const updated_at = timestampOf(clock.now());
  await db.transaction().execute(async (transaction) => {
    const inserted = await transaction
      .insertInto('organization_months')
      .values({ organization_id: organizationId, month, ...figures, updated_at })
      .onConflict((conflict) => conflict.columns(['month', 'organization_id']).doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 0n) return;
    const known = await stored(transaction, organizationId, month);
    if (!known) return;
    const values = {
      storage: larger('storage')(known),
      visits: larger('visits')(known),
      active_users: larger('active_users')(known),
      seats: larger('seats')(known),
      emails: larger('emails')(known),
    };
    await transaction
      .updateTable('organization_months')
      .set({ ...values, updated_at })
      .where('id', '=', known.id)
      .execute();
  });
}

/**
 * Measures the usage of all organizations in the current month, and completes that of the previous month during its first
 * days. Storage and seats are the maximum of all measurements.
 */
export async function measureMonths({ db, clock }: Shared): Promise<void> {
  const [current, previous] = monthsOf(clock.now());
  const organizations = await db.selectFrom('organizations').select('id').orderBy('id').execute();
  for (const { id: organizationId } of organizations) {
    for (const month of [current!, ...(previous === undefined ? [] : [previous])]) {
      const known = month === current ? undefined : await stored(db, organizationId, month);
      // A month without any measurement stays without figures.
      if (month !== current && !known) continue;
      await store(
        db,
        clock,
        { organizationId, month },
        {
          storage: known?.storage ?? (await storageOf(db, clock, organizationId)),
          visits: await visitsIn(db, organizationId, month),
          active_users: await activeUsersIn(db, organizationId, month),
          seats: known?.seats ?? (await seatsOf(db, organizationId)),
          emails: await emailsIn(db, organizationId, month),
        },
      );
    }
  }
}

/** Whether a text is a month, such as 2026-11. */
export const isMonth = (text: string): boolean => /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(text);

/** Figures of all organizations in a month, also of deleted ones, whose name is empty. */
export async function listMonth(db: Database, month: string) {
  return db
    .selectFrom('organization_months as figures')
    .leftJoin('organizations', 'organizations.id', 'figures.organization_id')
    .select(['figures.organization_id as id', 'organizations.name', 'figures.month', 'figures.storage'])
    .select(['figures.visits', 'figures.active_users', 'figures.seats', 'figures.emails', 'figures.updated_at'])
    .where('figures.month', '=', month)
    .orderBy('figures.organization_id')
    .execute();
}
