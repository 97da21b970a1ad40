import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { migrate, migrations } from '../db/migrate.ts';
import { hashFile } from '../media/media-store.ts';
import { Digest, isUnused } from './digest.ts';
import { fillTables } from './fill-tables.ts';
import { BackupError, type Manifest, manifestSchema, NAMES } from './manifest.ts';
import { migrationsOf, type Row } from './stored-rows.ts';

/** Rows that are written at once. */
const BATCH = 500;

const rowSchema = z.array(z.union([z.string(), z.number(), z.null()]));

/** What is restored, and where to. */
export interface RestorePlan {
  db: Database;
  dataFolder: string;
  /** Folder of the backup. */
  source: string;
  /** Whether a database in use is emptied first. */
  isForced?: boolean;
  onRows?(count: number): void;
}

async function readManifest(source: string): Promise<Manifest> {
  const file = join(source, NAMES.manifest);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new BackupError(`${source} is no backup: it has no ${NAMES.manifest}.`);
  });
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${file} is damaged, or was written by a newer version of the program.`);
  }
}

const tableFile = (source: string, name: string) => join(source, NAMES.tables, `${name}.jsonl`);
const linesOf = (file: string) =>
  createInterface({ input: createReadStream(file, { encoding: 'utf8' }), crlfDelay: Number.POSITIVE_INFINITY });

/**
 * Reads all of a backup and compares it with its manifest.
 * @throws BackupError naming the first file that is missing or not what it was
 */
export async function checkBackup(source: string): Promise<Manifest> {
  const manifest = await readManifest(source);
  const newer = manifest.migrations.find((name) => !(name in migrations));
  if (newer)
    throw new BackupError(`The backup is of a newer version of the program, ${manifest.program}. Update first.`);
  for (const { name, rows, hash } of manifest.tables) {
    const file = tableFile(source, name);
    if (!(await stat(file).catch(() => null))) throw new BackupError(`${file} is missing. The backup is not whole.`);
    const digest = new Digest();
    for await (const line of linesOf(file)) digest.add(`${line}\n`);
    const found = digest.end();
    if (found.rows !== rows || found.hash !== hash) throw new BackupError(`${file} is damaged: it is not what it was.`);
  }
  for (const { path, bytes, hash } of manifest.files) {
    const file = join(source, path);
    const found = await stat(file).catch(() => null);
    if (!found) throw new BackupError(`${file} is missing. The backup is not whole.`);
    if (found.size !== bytes || (await hashFile(file)) !== hash)
      throw new BackupError(`${file} is damaged: it is not what it was.`);
  }
  return manifest;
}

async function* rowsOf(file: string, columns: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const line of linesOf(file)) {
    const row = rowSchema.length(columns).parse(JSON.parse(line));
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Brings an installation back from a backup: checked whole first, then all rows in one transaction. Files are put in place
 * before it; they have their content's name, so none replaces another.
 * @throws BackupError when the backup is damaged, or the database is in use and not to be replaced
 */
export async function restoreBackup(plan: RestorePlan): Promise<Manifest> {
  const { db, dataFolder, source, isForced = false, onRows } = plan;
  const manifest = await checkBackup(source);
  if (!isForced && !(await isUnused(db)))
    throw new BackupError('The database is in use. Give an empty one, or replace all that is in it with --force.');
  const isNew = (await migrationsOf(db)).length === 0;
  // Rows of an older version come into tables of that version, and are brought up to date with them.
  await migrate(db, isNew ? manifest.migrations.at(-1) : undefined);
  for (const { path } of manifest.files) {
    const target = join(dataFolder, path);
    await mkdir(dirname(target), { recursive: true });
    const draft = `${target}.arriving`;
    await copyFile(join(source, path), draft);
    await rename(draft, target).catch(async (error: unknown) => {
      await rm(draft, { force: true });
      throw error;
    });
  }
  await fillTables(
    db,
    manifest.tables.map(({ name, columns, last_id }) => ({
      name,
      columns,
      lastId: last_id,
      rows: () => rowsOf(tableFile(source, name), columns.length),
    })),
    onRows,
  );
  await migrate(db);
  return manifest;
}
