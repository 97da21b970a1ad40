import { readFileSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionsOf, DATABASE_FILE, faultsOf } from '../../core/db/database.ts';
import { BACKUP_NOTE, readNote } from '../../core/db/notes.ts';
import type { Health } from '../../core/health.ts';
import { type Measure, type Metrics, type Sample, single } from '../../core/metrics.ts';
import type { Services } from '../../core/services.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  version: string;
};

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

function databaseMeasures({ db, settings }: Services): Measure[] {
  const faults: Measure = {
    name: 'database_errors_total',
    type: 'counter',
    help: 'Statements that failed: away, full, busy, conflict with another change, or other.',
    labels: ['kind'],
    read: () => [...faultsOf(db).counts].map(([kind, count]): Sample => [{ kind }, count]),
  };
  const pool = connectionsOf(db);
  if (!pool) {
    const log = join(settings.DATA_DIR, `${DATABASE_FILE}-wal`);
    return [
      faults,
      single('database_wal_bytes', 'gauge', "Size of SQLite's write-ahead log.", () => sizeOf(log)),
      single('database_file_bytes', 'gauge', "Size of SQLite's database.", () =>
        sizeOf(join(settings.DATA_DIR, DATABASE_FILE)),
      ),
    ];
  }
  return [
    faults,
    single('database_pool_connections', 'gauge', 'Connections to PostgreSQL.', () => pool.counts().total),
    single('database_pool_idle_connections', 'gauge', 'Those of them that do nothing.', () => pool.counts().idle),
    single('database_pool_waiting', 'gauge', 'Queries that wait for a connection.', () => pool.counts().waiting),
  ];
}

function diskMeasures({ settings }: Services): Measure[] {
  const read = (count: 'bavail' | 'blocks') => async () => {
    const disk = await statfs(settings.DATA_DIR);
    return disk[count] * disk.bsize;
  };
  return [
    single('disk_free_bytes', 'gauge', 'Room that is left on the disk of DATA_DIR.', read('bavail')),
    single('disk_size_bytes', 'gauge', 'Size of the disk of DATA_DIR.', read('blocks')),
  ];
}

/** Results of the last backup, read from the database; while it is unreachable, the last values read. */
function backupMeasures({ db }: Services): Measure[] {
  let known: Awaited<ReturnType<typeof readNote<typeof BACKUP_NOTE>>> = null;
  const read = async () => {
    known = await readNote(db, BACKUP_NOTE).catch(() => known);
    return known;
  };
  return [
    {
      name: 'backup_last_timestamp_seconds',
      type: 'gauge',
      help: 'When the last backup ended, by how; none was noted where nothing is shown.',
      labels: ['outcome'],
      read: async () => {
        const note = await read();
        if (!note) return [];
        return (['done', 'failed'] as const).flatMap((outcome): Sample[] => {
          const at = note[outcome];
          return at === null ? [] : [[{ outcome }, Date.parse(at) / 1000]];
        });
      },
    },
  ];
}

/** Adds the server's dependencies to `/metrics`. */
export function addServerMeasures(metrics: Metrics, services: Services, health: Health): void {
  const build: Measure = {
    name: 'enfilade_build_info',
    type: 'gauge',
    help: 'Which program runs.',
    labels: ['version', 'node'],
    read: () => [[{ version, node: process.versions.node }, 1]],
  };
  const parts: Measure = {
    name: 'enfilade_part_up',
    type: 'gauge',
    help: 'Whether each part that the server stands on is well, as /readyz has it.',
    labels: ['part'],
    read: () =>
      Object.entries(health.report().parts).map(([part, { state }]): Sample => [{ part }, Number(state === 'ok')]),
  };
  for (const measure of [
    build,
    parts,
    ...databaseMeasures(services),
    ...diskMeasures(services),
    ...backupMeasures(services),
  ])
    metrics.add(measure);
  const { bucket } = services.media;
  if (!bucket) return;
  const duration = metrics.histogram('s3_request_duration_seconds', 'Seconds that requests to the bucket took.', [
    'operation',
    'outcome',
  ]);
  bucket.watch((operation, outcome, seconds) => duration.observe({ operation, outcome }, seconds));
}
