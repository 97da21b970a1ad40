import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Database } from '../../core/db/database.ts';
import { knownMigrations, migrate, migrations, migrationsOf } from '../../core/db/migrate.ts';
import type { MediaStore } from '../../core/files/media-store.ts';
import { KEY_FILE } from '../../core/secrets/seal-token.ts';
import { type BackupSource, openBackup } from './backup-source.ts';
import { isUnused } from './digest.ts';
import { fillTables } from './fill-tables.ts';
import { BackupError, type Manifest, manifestSchema, NAMES, tablePath } from './manifest.ts';
import { type Measure, Measured } from './measured.ts';
import type { Row } from './stored-rows.ts';

/** Rows per insert. */
const RESTORE_BATCH = 500;

const rowSchema = z.array(z.union([z.string(), z.number(), z.null()]));

/** Source and destination of a restore. */
export interface RestorePlan {
  db: Database;
  media: MediaStore;
  /** Folder of the key that encrypts tokens. */
  dataFolder: string;
  /** Folder or file of the backup. */
  source: string;
  /** Whether to empty a database that is in use. */
  isForced?: boolean;
  /** Dry run: checks the backup and changes nothing. */
  isTried?: boolean;
  onRows?(count: number): void;
}

/** Maximum manifest size in bytes: enough for ten million files. */
const MAX_MANIFEST = 2 * 1024 * 1024 * 1024;

async function readManifest(backup: BackupSource, source: string): Promise<Manifest> {
  const bytes = await backup.sizeOf(NAMES.manifest);
  if (bytes === undefined) throw new BackupError(`${source} is no backup: it has no ${NAMES.manifest}.`);
  try {
    if (bytes > MAX_MANIFEST) throw new Error('too large');
    return manifestSchema.parse(JSON.parse(await textOf(await backup.open(NAMES.manifest))));
  } catch {
    throw new BackupError(
      `${backup.nameOf(NAMES.manifest)} is damaged, or was written by a newer version of the program.`,
    );
  }
}

const LINE_BREAK = 0x0a;

/** Reads a file to its end and measures it. */
async function measureFile(backup: BackupSource, path: string): Promise<Measure & { lines: number }> {
  const measured = new Measured();
  let lines = 0;
  const count = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, at + 1)) lines++;
      done();
    },
  });
  try {
    await pipeline(await backup.open(path), measured, count);
  } catch (error) {
    throw new BackupError(`${backup.nameOf(path)} is damaged: ${(error as Error).message}.`);
  }
  return { ...measured.measure(), lines };
}

async function checkFile(backup: BackupSource, path: string, fits: (found: Measure & { lines: number }) => boolean) {
  if ((await backup.sizeOf(path)) === undefined)
    throw new BackupError(`${backup.nameOf(path)} is missing. The backup is not whole.`);
  if (!fits(await measureFile(backup, path)))
    throw new BackupError(`${backup.nameOf(path)} is damaged: it is not what it was.`);
}

/**
 * Reads the whole backup and verifies it against its manifest.
 * @throws BackupError naming the first file that is missing or changed
 */
async function checkBackup(backup: BackupSource, source: string): Promise<Manifest> {
  const manifest = await readManifest(backup, source);
  try {
    manifest.migrations = knownMigrations(manifest.migrations);
  } catch {
    throw new BackupError(`The backup is from ${manifest.program}, older than 0.14.7. Restore it with 0.15.0 first.`);
  }
  const newer = manifest.migrations.find((name) => !(name in migrations));
  if (newer)
    throw new BackupError(`The backup is of a newer version of the program, ${manifest.program}. Update first.`);
  for (const { name, rows, hash } of manifest.tables)
    await checkFile(backup, tablePath(name), (found) => found.lines === rows && found.hash === hash);
  for (const { path, bytes, hash } of manifest.files)
    await checkFile(backup, path, (found) => found.bytes === bytes && found.hash === hash);
  return manifest;
}

/** Splits a file at \n only: JSON may contain other line separators. */
async function* linesOf(content: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of content.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function* rowsOf(backup: BackupSource, name: string, columns: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const line of linesOf(await backup.open(tablePath(name)))) {
    const row = rowSchema.length(columns).parse(JSON.parse(line));
    batch.push(row);
    if (batch.length < RESTORE_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Writes the key that encrypts tokens atomically. */
async function placeKey(content: Readable, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.arriving`;
  try {
    await rm(draft, { force: true });
    await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Restores an installation from a backup: verifies it completely, then writes all rows in one transaction. Files are
 * placed first; they are named by content hash, so none replaces another.
 * @throws BackupError if the backup is damaged, or the database is in use and must not be replaced
 */
export async function restoreBackup(plan: RestorePlan): Promise<Manifest> {
  const { db, media, dataFolder, source, isForced = false, isTried = false, onRows } = plan;
  const backup = await openBackup(source);
  try {
    const manifest = await checkBackup(backup, source);
    if (!isForced && !(await isUnused(db)))
      throw new BackupError('The database is in use. Give an empty one, or replace all that is in it with --force.');
    if (isTried) return manifest;
    const present = await migrationsOf(db);
    const isNew = present.length === 0;
    const isOlder = present.some((name) => !manifest.migrations.includes(name));
    if (!isNew && isOlder)
      throw new BackupError(
        `The backup is from ${manifest.program}, older than this database. Restore it into a new one.`,
      );
    // Rows from an older version are inserted into that version's schema, then migrated.
    await migrate(db, isNew ? manifest.migrations.at(-1) : undefined);
    for (const { path } of manifest.files) {
      const content = await backup.open(path);
      await (path === KEY_FILE ? placeKey(content, join(dataFolder, path)) : media.place(path, content));
    }
    await fillTables(
      db,
      manifest.tables.map(({ name, columns, last_id }) => ({
        name,
        columns,
        lastId: last_id,
        rows: () => rowsOf(backup, name, columns.length),
      })),
      onRows,
    );
    await migrate(db);
    return manifest;
  } finally {
    backup.close();
  }
}
