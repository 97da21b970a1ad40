import { sql } from 'kysely';
import { QUOTAS, type Quota, type Usage } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { lockOrganization } from '../db/for-update.ts';
import { everywhere } from '../db/limited.ts';
import { addAttempts, attemptsSince } from './attempts.ts';

/** Limits of an organization by quota; missing ones are unlimited. */
export type Limits = Partial<Record<Quota, number>>;

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1_000_000;

/** Attempt subject of an organization's emails. */
const mailsOf = (organizationId: number): string => `mails:${organizationId}`;

/** Quotas that count the rows of a table. */
const TABLES = { spaces: 'rooms', structures: 'endpoints', users: 'users', tokens: 'access_tokens' } as const;

const NAMES: Record<Exclude<Quota, 'storage'>, [one: string, many: string]> = {
  spaces: ['space', 'spaces'],
  structures: ['structure', 'structures'],
  users: ['user', 'users'],
  tokens: ['access token', 'access tokens'],
  mails: ['message a day', 'messages a day'],
};

/** A readable amount; storage in MB. */
function amount(quota: Quota, count: number): string {
  if (quota === 'storage')
    return `${(count / MEGABYTE).toLocaleString('en', { maximumFractionDigits: 1 })} MB of storage`;
  return `${count.toLocaleString('en')} ${NAMES[quota][count === 1 ? 0 : 1]}`;
}

export async function readLimits(db: Database, organizationId: number): Promise<Limits> {
  const row = await db.selectFrom('organizations').select('quotas').where('id', '=', organizationId).executeTakeFirst();
  return JSON.parse(row?.quotas ?? '{}') as Limits;
}

/**
 * Changes the given limits of an organization; null removes a limit.
 * @returns name of the organization; null if it doesn't exist
 */
export async function changeLimits(
  database: Database,
  organizationId: number,
  changes: Partial<Record<Quota, number | null>>,
): Promise<string | null> {
  return database.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const limits = { ...(await readLimits(db, organizationId)), ...changes };
    const kept = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null));
    const row = await db
      .updateTable('organizations')
      .set({ quotas: JSON.stringify(kept) })
      .where('id', '=', organizationId)
      .returning('name')
      .executeTakeFirst();
    return row?.name ?? null;
  });
}

/** Size of a file in bytes, plus that of a separately stored original. */
const STORED = sql<number>`bytes + case when original_hash <> hash or entry like '%/%' then coalesce(original_bytes, 0) else 0 end`;

async function count(db: Database, clock: Clock, organizationId: number, quota: Quota): Promise<number> {
  if (quota === 'mails') return attemptsSince(db, mailsOf(organizationId), timestampOf(clock.now() - DAY_MS));
  const tables = quota === 'storage' ? (['media', 'media_versions'] as const) : [TABLES[quota]];
  let total = 0;
  for (const table of tables) {
    const { used } = await everywhere(db)
      .selectFrom(table as 'media')
      .select(({ fn }) => (quota === 'storage' ? fn.sum<number>(STORED) : fn.countAll<number>()).as('used'))
      .where('organization_id', '=', organizationId)
      // The content of proposals counts as none.
      .$if(quota === 'spaces', (query) => query.where(sql<boolean>`branch_of is null`))
      .executeTakeFirstOrThrow();
    total += Number(used ?? 0);
  }
  return total;
}

/** Size of an organization's media library in bytes. */
export const storageOf = (db: Database, clock: Clock, organizationId: number): Promise<number> =>
  count(db, clock, organizationId, 'storage');

/** Current usage of an organization, by quota. */
export async function usageOf({ db, clock }: { db: Database; clock: Clock }, organizationId: number): Promise<Usage[]> {
  const limits = await readLimits(db, organizationId);
  const usage: Usage[] = [];
  for (const quota of QUOTAS)
    usage.push({ quota, used: await count(db, clock, organizationId, quota), limit: limits[quota] ?? null });
  return usage;
}

/** Forgets how many emails an organization sent. */
export async function forgetMails(db: Database, organizationId: number): Promise<void> {
  await db.deleteFrom('attempts').where('subject', '=', mailsOf(organizationId)).execute();
}

/** Counts an organization's emails, in the transaction that causes them. */
export async function noteMails(db: Database, clock: Clock, organizationId: number, mails = 1): Promise<void> {
  const subject = mailsOf(organizationId);
  await addAttempts(
    db,
    clock,
    Array.from({ length: mails }, () => subject),
  );
}

/** The organization and quotas to enforce. */
interface Limited {
  db: Database;
  clock: Clock;
  organizationId: number;
}

/**
 * Runs a transaction that may add resources under quota. Usage is counted inside it with the organization locked, so
 * the limit is exact under concurrency. An organization over a lowered limit may do anything but add more.
 * @param work receives a function that checks the quotas early, for callers that undo what they tried
 * @throws ApiError quota if a limit would be exceeded; the transaction is rolled back
 */
export async function withinQuotas<T>(
  { db: database, clock, organizationId }: Limited,
  quotas: readonly Quota[],
  work: (db: Database, refuseMore: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (db) => {
    const known = await readLimits(db, organizationId);
    if (!quotas.some((quota) => known[quota] !== undefined)) return work(db, async () => {});
    await lockOrganization(db, organizationId);
    const limits = await readLimits(db, organizationId);
    const limited = quotas.filter((quota) => limits[quota] !== undefined);
    const before = new Map<Quota, number>();
    for (const quota of limited) before.set(quota, await count(db, clock, organizationId, quota));
    const refuseMore = async () => {
      for (const quota of limited) {
        const [limit, had] = [limits[quota]!, before.get(quota)!];
        const would = await count(db, clock, organizationId, quota);
        if (would <= limit || would <= had) continue;
        throw new ApiError(
          'quota',
          `This would exceed the limit of ${amount(quota, limit)}: ${amount(quota, had)} in use, ${amount(quota, would)} needed.`,
        );
      }
    };
    const result = await work(db, refuseMore);
    await refuseMore();
    return result;
  });
}
