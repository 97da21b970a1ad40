import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionsOf, DATABASE_FILE, faultsOf } from '../../core/db/database.ts';
import { BACKUP_NOTE, readNote } from '../../core/db/notes.ts';
import type { PoolCounts } from '../../core/db/postgres.ts';
import type { Health } from '../../core/health.ts';
import { lastKnown, type Measure, type Metrics, type Sample, single } from '../../core/metrics.ts';
import type { Services } from '../../core/services.ts';
import { version } from '../../core/version.ts';

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

function databaseMeasures({ db, settings }: Services): Measure[] {
  const faults: Measure = {
    name: 'database_errors_total',
    type: 'counter',
    help: 'Failed statements: database away, disk full, busy, conflict with another change, or other.',
    labels: ['kind'],
    read: () => [...faultsOf(db).counts].map(([kind, count]): Sample => [{ kind }, count]),
  };
  const pool = connectionsOf(db);
  const file = (name: string) => () => (pool ? null : sizeOf(join(settings.DATA_DIR, name)));
  const connections = (state: keyof PoolCounts) => () => pool?.counts()[state] ?? null;
  return [
    faults,
    single('database_wal_bytes', 'gauge', "Size of SQLite's write-ahead log.", file(`${DATABASE_FILE}-wal`)),
    single('database_file_bytes', 'gauge', "Size of SQLite's database.", file(DATABASE_FILE)),
    single('database_pool_connections', 'gauge', 'Connections to PostgreSQL.', connections('total')),
    single('database_pool_idle_connections', 'gauge', 'Idle connections to PostgreSQL.', connections('idle')),
    single('database_pool_waiting', 'gauge', 'Queries that wait for a connection.', connections('waiting')),
  ];
}

function diskMeasures({ settings }: Services): Measure[] {
  const read = (count: 'bavail' | 'blocks') => async () => {
    const disk = await statfs(settings.DATA_DIR);
    return disk[count] * disk.bsize;
  };
  return [
    single('disk_free_bytes', 'gauge', 'Free space on the disk of DATA_DIR.', read('bavail')),
    single('disk_size_bytes', 'gauge', 'Size of the disk of DATA_DIR.', read('blocks')),
  ];
}

/** Times of the last backups. */
const backupMeasure = ({ db }: Services): Measure => ({
  name: 'backup_last_timestamp_seconds',
  type: 'gauge',
  help: 'Time of the last backup that was done, and of the last that failed; no sample if there was none.',
  labels: ['outcome'],
  read: lastKnown(async () => {
    const note = await readNote(db, BACKUP_NOTE);
    if (!note) return [];
    return (['done', 'failed'] as const).flatMap((outcome): Sample[] => {
      const at = note[outcome];
      return at === null ? [] : [[{ outcome }, Date.parse(at) / 1000]];
    });
  }),
});

/** Adds the server's dependencies to `/metrics`. */
export function addServerMeasures(metrics: Metrics, services: Services, health: Health): void {
  const build: Measure = {
    name: 'build_info',
    type: 'gauge',
    help: 'Version of the program and of Node.js.',
    labels: ['version', 'node'],
    read: () => [[{ version, node: process.versions.node }, 1]],
  };
  const parts: Measure = {
    name: 'part_up',
    type: 'gauge',
    help: 'Whether each dependency of the server works, as in /readyz.',
    labels: ['part'],
    read: () =>
      Object.entries(health.report().parts).map(([part, { state }]): Sample => [{ part }, Number(state === 'ok')]),
  };
  for (const measure of [
    build,
    parts,
    ...databaseMeasures(services),
    ...diskMeasures(services),
    backupMeasure(services),
  ])
    metrics.add(measure);
  const duration = metrics.histogram('s3_request_duration_seconds', 'Duration of requests to the bucket.', [
    'operation',
    'outcome',
  ]);
  services.media.bucket?.watch((operation, outcome, seconds) => duration.observe({ operation, outcome }, seconds));
}
