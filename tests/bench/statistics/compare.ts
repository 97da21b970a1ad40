import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../../src/server/core/clock.ts';
import { type Database, isPostgres, openDatabase } from '../../../src/server/core/db/database.ts';
import { migrate } from '../../../src/server/core/db/migrate.ts';
import { insertEndpoint } from '../../../src/server/features/endpoints/queries.ts';
import { createOrganization } from '../../../src/server/features/organizations/service.ts';
import { figuresApart, figuresByHour } from '../../../src/server/features/statistics/queries.ts';
import { hourOf, prepareMonths, rollUp } from '../../../src/server/features/statistics/roll-up.ts';
import { findPostgres } from '../../harness/postgres.ts';
import { median } from '../server-process.ts';

/** Events of two days, and hourly rows: a year's data of an organization with a hundred structures. */
const ROWS = Number(process.env.STATISTICS_ROWS ?? 10_000_000);
const STRUCTURES = 100;
const HOURS = 48;
/** The baseline: SQLite counts rows without reading them, so each row is read. */
const BARE = 'bare sums of all rows';
const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 2, 10, 12, 30);
const clock: Clock = { now: () => NOW };

/** Generates events in the database: a tenth are starts of visits, the rest seconds of elements. */
async function fillEvents(db: Database, organizationId: number, endpoints: readonly number[]): Promise<void> {
  const [first] = endpoints;
  const begin = NOW - HOURS * HOUR_MS;
  const numbers = isPostgres(db)
    ? sql`generate_series(1, ${ROWS}::bigint) as series(n)`
    : sql`(with recursive series(n) as (select 1 union all select n + 1 from series where n < ${ROWS}) select n from series)`;
  const step = (HOURS * HOUR_MS) / ROWS / 1000;
  const at = isPostgres(db)
    ? sql`to_char(to_timestamp(${begin / 1000}::double precision + n * ${step}::double precision) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${begin / 1000} + n * ${step}, 'unixepoch')`;
  const one = isPostgres(db) ? sql`cast(${organizationId} as bigint)` : sql`${organizationId}`;
  const base = isPostgres(db) ? sql`cast(${first} as bigint)` : sql`${first}`;
  await sql`
    insert into statistics_events (organization_id, endpoint_id, at, kind, visitor, visit, subject, other_id, amount)
    select ${one}, ${base} + n % ${sql.lit(STRUCTURES)}, ${at},
      case when n % 10 = 0 then 'visit' else 'element' end,
      case when n % 10 = 0 then cast(n % 100003 as text) end, null, '',
      case when n % 10 = 0 then 0 else n % 200 + 1 end, 5
    from ${numbers}
  `.execute(db);
  await sql`analyze`.execute(db);
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Milliseconds by measurement, as medians of the rounds. */
async function measure(db: Database, rounds: number): Promise<[name: string, milliseconds: number][]> {
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
  const filling = await timed(() => fillEvents(db, organizationId, endpoints));
  const all = await timed(() => rollUp({ db }));
  const range = { organizationId, fromHour: hourOf(NOW - HOURS * HOUR_MS), tillHour: hourOf(NOW + HOUR_MS) };
  const figures: Record<string, () => Promise<unknown>> = {
    'one hour counted anew': async () => {
      const hour = hourOf(NOW);
      await db.deleteFrom('statistics_hours').where('hour', '=', hour).execute();
      await db.updateTable('statistics_events').set({ is_counted: 0 }).where('at', '>=', hour).execute();
      await rollUp({ db });
    },
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
  const results: [string, number][] = [
    ['filling', filling],
    [`all ${HOURS} hours`, all],
  ];
  for (const [name, work] of Object.entries(figures)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timed(work));
    results.push([name, median(times)]);
  }
  return results;
}

async function onSqlite(rounds: number): Promise<[string, number][]> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const db = openDatabase({ folder });
  try {
    return await measure(db, rounds);
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

async function onPostgres(base: string, rounds: number): Promise<[string, number][]> {
  const name = `enfilade_bench_${process.pid}`;
  const admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name} template template0`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const db = openDatabase({ url: url.href, folder: tmpdir() });
  try {
    return await measure(db, rounds);
  } finally {
    await db.destroy();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

/**
 * Compares aggregating an hour of ten million events, and the screen's queries, with a plain scan of all rows.
 * `STATISTICS_ROWS` overrides the number of rows.
 * @returns whether an hour is aggregated within three times the scan's duration, and the screen takes at most half of
 * it
 */
export async function compareStatistics(rounds: number): Promise<boolean> {
  const base = await findPostgres();
  console.log(
    `\nStatistics: ${ROWS.toLocaleString('en')} events of ${HOURS} hours, medians of ${rounds} round(s), ms\n`,
  );
  if (!base) console.log('PostgreSQL: none answers; it is left out.');
  let met = true;
  const databases: [string, () => Promise<[string, number][]>][] = [
    ['SQLite', () => onSqlite(rounds)],
    ...(base ? [['PostgreSQL', () => onPostgres(base, rounds)] as [string, () => Promise<[string, number][]>]] : []),
  ];
  for (const [title, run] of databases) {
    const results = new Map(await run());
    const bare = results.get(BARE)!;
    for (const [name, milliseconds] of results) {
      const most = name.startsWith('screen') ? 0.5 : name === 'one hour counted anew' ? 3 : Number.POSITIVE_INFINITY;
      const ratio = milliseconds / bare;
      if (ratio > most) met = false;
      console.log(
        `${title.padEnd(12)}${name.padEnd(24)}${milliseconds.toFixed(1).padStart(10)}${ratio.toFixed(3).padStart(9)}${ratio > most ? `  misses its target: ${most}` : ''}`,
      );
    }
  }
  return met;
}
