import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { BackupError } from '../../src/server/app/backup/manifest.ts';
import { MoveError } from '../../src/server/app/backup/move-database.ts';
import { DATABASE_FILE, type Database, openDatabase } from '../../src/server/core/db/database.ts';
import { type MigrationStep, migrate } from '../../src/server/core/db/migrate.ts';
import { withStartLock } from '../../src/server/core/db/start-lock.ts';
import { bucketOf } from '../../src/server/core/files/bucket.ts';
import { MediaStore } from '../../src/server/core/files/media-store.ts';
import { readSettings, type ServerSettings, SettingsError } from '../../src/server/core/settings.ts';
import { CliError, EXIT, usageError, wrongError } from '../failure.ts';
import { environmentOf, type Place } from './place.ts';

/** An installation on this machine with an open database. */
export interface Machine {
  db: Database;
  media: MediaStore;
  dataFolder: string;
  /** PostgreSQL's host, or the data folder, for messages. */
  name: string;
  /** Migrates the database while no server is running. @returns the applied migrations */
  migrate(): Promise<MigrationStep[]>;
}

/** The database URL for messages, without user and password. */
function databaseNameOf(url: string | undefined, folder: string): string {
  if (url === undefined) return folder;
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Rejects a missing installation: a mistyped folder would otherwise create an empty one. */
function refuseMissing(url: string | undefined, folder: string): void {
  if (url !== undefined || existsSync(join(folder, DATABASE_FILE))) return;
  throw wrongError(`No installation in ${folder}.`, 'Specify its folder with --data, or its database with --database.');
}

/** The settings of an installation. @throws CliError naming an invalid one */
function settingsOf(place: Place): ServerSettings {
  try {
    return readSettings(environmentOf(place));
  } catch (error) {
    if (error instanceof SettingsError)
      throw usageError(error.message, 'See the table of settings in src/server/README.md.');
    throw error;
  }
}

/**
 * Opens a database and checks the connection.
 * @param isThere whether it must already exist
 */
export async function openMachine(place: Place, isThere = false): Promise<Machine> {
  const settings = settingsOf(place);
  const { DATABASE_URL: url, DATA_DIR: dataFolder } = settings;
  const name = databaseNameOf(url, dataFolder);
  // Files written here, such as backups, contain keys: only the current user may read them.
  process.umask(0o077);
  if (isThere) refuseMissing(url, dataFolder);
  try {
    const db = openDatabase({ url, folder: dataFolder });
    await sql`select 1`.execute(db);
    return {
      db,
      media: new MediaStore(dataFolder, bucketOf(settings)),
      dataFolder,
      name,
      migrate: () =>
        withStartLock(url, async () => {
          const steps: MigrationStep[] = [];
          await migrate(db, undefined, (step) => steps.push(step));
          return steps;
        }),
    };
  } catch (error) {
    const reason = (error as Error).message || String((error as { code?: string }).code);
    throw new CliError('database', EXIT.server, {
      message: `The database of ${name} can't be reached: ${reason}.`,
      suggestion: 'Check --data and --database, or DATA_DIR and DATABASE_URL.',
    });
  }
}

/** Runs a task and reports errors of backups and of the disk. */
export async function reportingBackup<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError || error instanceof MoveError)
      throw wrongError(error.message, 'Nothing was changed.');
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall)
      throw new CliError('disk', EXIT.wrong, {
        message: `Disk error: ${message}.`,
        suggestion: 'Check the location, its permissions and the free disk space.',
      });
    throw error;
  }
}

/** Runs a task; if it fails, removes the SQLite database that it created, and its folder if that is empty. */
export async function withoutLeftovers(place: Place, work: () => Promise<void>): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: folder } = settingsOf(place);
  const file = join(folder, DATABASE_FILE);
  const isNew = url === undefined && !existsSync(file);
  const isNewFolder = !existsSync(folder);
  try {
    await work();
  } catch (error) {
    if (isNew) for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
    if (isNewFolder) await rmdir(folder).catch(() => {});
    throw error;
  }
}

/**
 * Runs a task on an installation of this machine, then closes it.
 * @param isThere whether it must already exist; otherwise it is created
 */
export async function onMachine(
  place: Place,
  work: (machine: Machine) => Promise<void>,
  { isThere = false } = {},
): Promise<void> {
  const machine = await openMachine(place, isThere);
  try {
    await reportingBackup(() => work(machine));
  } finally {
    await machine.db.destroy();
  }
}
