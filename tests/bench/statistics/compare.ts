import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import type { Clock } from '../../../src/server/core/clock.ts';
import { type Database, isPostgres, openDatabase } from '../../../src/server/core/db/database.ts';
import { migrate } from '../../../src/server/core/db/migrate.ts';
import { insertEndpoint } from '../../../src/server/features/endpoints/queries.ts';
import { createOrganization } from '../../../src/server/features/organizations/service.ts';
import { figuresApart, figuresByHour } from '../../../src/server/features/statistics/queries.ts';
import { hourOf, PAUSE, prepareMonths, rollUp } from '../../../src/server/features/statistics/roll-up.ts';
import { findPostgres, runOn, urlOf } from '../../harness/postgres.ts';
import { type Figure, inFolder, median, type Outcomes, type Scope, without } from '../bench.ts';

/** Events of two days: a year's data of an organization with a hundred structures, as hourly rows. */
const ROWS = { full: 10_000_000, quick: 300_000 } as const;
const STRUCTURES = 100;
const HOURS = 48;
/** The baseline: SQLite counts rows without reading them, so each row is read. */
const BARE = 'bare sums of all rows';
/** The other measurements are reports on the screen. */
const HOUR = 'one hour counted anew';
const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 2, 10, 12, 30);
const clock: Clock = { now: () => NOW };

/** Generates counted events: a tenth are starts of visits, the rest seconds of elements. */
async function fillEvents(
  db: Database,
  organizationId: number,
  endpoints: readonly number[],
  rows: number,
): Promise<void> {
  const [first] = endpoints;
  const begin = NOW - HOURS * HOUR_MS;
  const numbers = isPostgres(db)
    ? sql`generate_series(1, ${rows}::bigint) as series(n)`
    : sql`(with recursive series(n) as (select 1 union all select n + 1 from series where n < ${rows}) select n from series)`;
  const step = (HOURS * HOUR_MS) / rows / 1000;
  const at = isPostgres(db)
    ? sql`to_char(to_timestamp(${begin / 1000}::double precision + n * ${step}::double precision) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${begin / 1000} + n * ${step}, 'unixepoch')`;
  const one = isPostgres(db) ? sql`cast(${organizationId} as bigint)` : sql`${organizationId}`;
  const base = isPostgres(db) ? sql`cast(${first} as bigint)` : sql`${first}`;
  await sql`
    insert into statistics_events (organization_id, endpoint_id, at, kind, visitor, visit, subject, other_id, amount, is_counted)
    select ${one}, ${base} + n % ${sql.lit(STRUCTURES)}, ${at},
      case when n % 10 = 0 then 'visit' else 'element' end,
      case when n % 10 = 0 then cast(n % 100003 as text) end, null, '',
      case when n % 10 = 0 then 0 else n % 200 + 1 end, 5, 1
    from ${numbers}
  `.execute(db);
  // The product counts in small slices, which would take hours.
  await sql`
    insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
    select organization_id, endpoint_id, substr(at, 1, 13), kind, subject, other_id, count(*), sum(amount)
    from statistics_events group by organization_id, endpoint_id, substr(at, 1, 13), kind, subject, other_id
  `.execute(db);
  await sql`analyze`.execute(db);
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Milliseconds by measurement, as medians of the rounds. */
async function measure(db: Database, rows: number, rounds: number): Promise<Map<string, number>> {
  await migrate(db);
  const organizationId = await createOrganization(
    { db, clock },
    { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' },
  );
  const at = new Date(NOW).toISOString();
  const endpoints: number[] = [];
  for (let index = 0; index < STRUCTURES; index++)
    endpoints.push(
      await insertEndpoint(db, {
        organization_id: organizationId,
        name: `S${index}`,
        slug: `s${index}`,
        room_id: null,
        parent_endpoint_id: null,
        index: `a${index}`,
        is_visible: 1,
        is_timed: 0,
        show_countdown: 0,
        start_time: null,
        start_time_utc_offset: null,
        is_protected: 0,
        access_token_duration: null,
        created_at: at,
        updated_at: at,
      }),
    );
  await prepareMonths(db, at);
  await fillEvents(db, organizationId, endpoints, rows);
  const range = { organizationId, fromHour: hourOf(NOW - HOURS * HOUR_MS), tillHour: hourOf(NOW + HOUR_MS) };
  const countHour = async (): Promise<number> => {
    const hour = hourOf(NOW);
    await db.deleteFrom('statistics_hours').where('hour', '=', hour).execute();
    await db.updateTable('statistics_events').set({ is_counted: 0 }).where('at', '>=', hour).execute();
    let pauses = 0;
    const counting = await timed(async () => {
      pauses = (await rollUp({ db })).length - 1;
    });
    return counting - pauses * PAUSE;
  };
  const figures: Record<string, () => Promise<unknown>> = {
    'screen: by hour': () => figuresByHour(db, range),
    'screen: elements': () =>
      figuresApart(db, range, { kinds: ['element'], apart: ['other_id'], by: 'amount', limit: 100 }),
    'screen: one structure': () =>
      figuresApart(
        db,
        { ...range, endpointId: endpoints[0] },
        {
          kinds: ['element'],
          apart: ['other_id'],
          by: 'amount',
          limit: 100,
        },
      ),
    [BARE]: () => sql`select kind, count(*), sum(amount) from statistics_events group by kind`.execute(db),
  };
  const results = new Map<string, number>();
  const measurements = Object.entries(figures).map(([name, work]) => [name, () => timed(work)] as const);
  for (const [name, work] of [[HOUR, countHour] as const, ...measurements]) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await work());
    results.set(name, median(times));
  }
  return results;
}

const onSqlite = (rows: number, rounds: number) =>
  inFolder(async (folder) => {
    const db = openDatabase({ folder });
    try {
      return await measure(db, rows, rounds);
    } finally {
      await db.destroy();
    }
  });

async function onPostgres(base: string, rows: number, rounds: number) {
  const name = `enfilade_bench_${process.pid}`;
  await runOn(base, `create database ${name} template template0`);
  const db = openDatabase({ url: urlOf(base, name), folder: tmpdir() });
  try {
    return await measure(db, rows, rounds);
  } finally {
    await db.destroy();
    await runOn(base, `drop database ${name} with (force)`);
  }
}

/** Ratios to the scan. */
function figuresOf(results: ReadonlyMap<string, number>): { hour: Figure; report: Figure } {
  const bare = results.get(BARE)!;
  const detail = `scan ${bare.toFixed(0)} ms`;
  const reports = [...results].filter(([name]) => name !== BARE && name !== HOUR);
  const [slowest, milliseconds] = reports.toSorted((a, b) => b[1] - a[1])[0]!;
  return {
    hour: { value: results.get(HOUR)! / bare, detail },
    report: { value: milliseconds / bare, detail: `${slowest}; ${detail}` },
  };
}

/** Compares aggregating an hour of many events, and the screen's queries, with a plain scan of all rows. */
export async function compareStatistics({ rounds, isQuick, wants }: Scope): Promise<Outcomes> {
  const rows = isQuick ? ROWS.quick : ROWS.full;
  const base = await findPostgres();
  const outcomes: Outcomes = {};
  for (const database of ['SQLite', 'PostgreSQL']) {
    const ids = [`hour ${database}`, `report ${database}`] as const;
    if (!ids.some(wants)) continue;
    if (database === 'PostgreSQL' && !base) Object.assign(outcomes, without(ids, 'no PostgreSQL answers'));
    else {
      const results = await (database === 'SQLite' ? onSqlite(rows, rounds) : onPostgres(base!, rows, rounds));
      const { hour, report } = figuresOf(results);
      Object.assign(outcomes, { [ids[0]]: hour, [ids[1]]: report });
    }
  }
  return outcomes;
}
