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
  backup: CheckedBackup;
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

/** Writes the key that encrypts tokens beside its place. @returns puts it there atomically, or removes it */
async function stageKey(content: Readable, target: string): Promise<{ keep(): Promise<void>; drop(): Promise<void> }> {
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.arriving`;
  const drop = () => rm(draft, { force: true });
  try {
    await drop();
    await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await drop();
    throw error;
  }
  return { keep: () => rename(draft, target), drop };
}

/** A backup that has been read completely and verified. */
export interface CheckedBackup {
  source: BackupSource;
  manifest: Manifest;
}

/**
 * Opens a backup, verifies it completely, and works with it.
 * @param place folder or file
 * @throws BackupError naming the missing or damaged part
 */
export async function withBackup<T>(place: string, work: (backup: CheckedBackup) => Promise<T>): Promise<T> {
  const source = await openBackup(place);
  try {
    return await work({ source, manifest: await checkBackup(source, place) });
  } finally {
    source.close();
  }
}

const COPY_KEY = `Copy ${KEY_FILE} from the backup into the data folder before the server starts.`;

/** Rejects a backup that doesn't fit the database. @returns whether the database has no tables yet */
async function refuseUnfit({ db, isForced }: RestorePlan, { program, migrations: list }: Manifest): Promise<boolean> {
  if (!isForced && !(await isUnused(db)))
    throw new BackupError('The database is in use. Give an empty one, or replace all that is in it with --force.');
  const present = await migrationsOf(db);
  if (present.some((name) => !list.includes(name)))
    throw new BackupError(`The backup is from ${program}, older than this database. Restore it into a new one.`);
  return present.length === 0;
}

/**
 * Restores an installation from a verified backup: places the files, which are named by content hash, so none replaces
 * another; then writes all rows in one transaction; then replaces the key. If a step fails, the earlier ones are undone.
 * @throws BackupError if the database is in use and must not be replaced, or its rows can't be stored
 */
export async function restoreBackup(plan: RestorePlan): Promise<Manifest> {
  const { db, media, dataFolder, backup, isTried = false, onRows } = plan;
  const { source, manifest } = backup;
  const isNew = await refuseUnfit(plan, manifest);
  if (isTried) return manifest;
  const undo: (() => Promise<void>)[] = [];
  let isStored = false;
  try {
    // Rows from an older version are inserted into that version's schema, then migrated.
    await migrate(db, isNew ? manifest.migrations.at(-1) : undefined);
    let keepKey = async () => {};
    for (const { path } of manifest.files) {
      const content = await source.open(path);
      if (path === KEY_FILE) {
        const key = await stageKey(content, join(dataFolder, path));
        keepKey = key.keep;
        undo.push(key.drop);
      } else if (await media.place(path, content)) undo.push(() => media.removePlaced(path));
    }
    await fillTables(
      db,
      manifest.tables.map(({ name, columns, last_id }) => ({
        name,
        columns,
        lastId: last_id,
        rows: () => rowsOf(source, name, columns.length),
      })),
      onRows,
    );
    // The rows are committed: from here on, their files stay.
    isStored = true;
    await keepKey();
  } catch (error) {
    if (isStored)
      throw new BackupError(`The backup is restored, except its key: ${(error as Error).message}. ${COPY_KEY}`);
    for (const step of undo) await step().catch(() => {});
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall) throw error;
    throw new BackupError(
      `The backup can't be restored: ${message.replace(/\.$/, '')}. Its rows and files were removed again.`,
    );
  }
  await migrate(db);
  return manifest;
}
