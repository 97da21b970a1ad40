import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { stampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { KEY_FILE } from '../feeds/seal-token.ts';
import { hashFile } from '../media/media-store.ts';
import { Digest, lineOf } from './digest.ts';
import { BackupError, FORMAT, type Manifest, NAMES } from './manifest.ts';
import { atOneMoment, lastIdOf, migrationsOf, readRows, shapesOf, type TableShape } from './stored-rows.ts';

/** What is backed up, and where to. */
export interface BackupPlan {
  db: Database;
  clock: Clock;
  /** Folder of the media, and of the key that seals tokens. */
  dataFolder: string;
  /** Folder to write; it must not exist. */
  target: string;
  /** Version of the program. */
  program: string;
  /** Hears what is being done. */
  onStep?(text: string): void;
}

async function writeTable(db: Database, shape: TableShape, file: string): Promise<Manifest['tables'][number]> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  const digest = new Digest();
  for await (const batch of readRows(db, shape)) {
    const lines = batch.map(lineOf);
    for (const line of lines) digest.add(line);
    if (!stream.write(lines.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
  return { ...shape, columns: [...shape.columns], last_id: await lastIdOf(db, shape.name), ...digest.end() };
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    // What is arriving is nobody's yet.
    if (entry.isDirectory() && entry.name !== 'arriving') yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

async function copyInto(dataFolder: string, file: string, target: string): Promise<Manifest['files'][number] | null> {
  const path = relative(dataFolder, file).split(sep).join('/');
  const copy = join(target, path);
  await mkdir(dirname(copy), { recursive: true });
  try {
    await copyFile(file, copy);
  } catch (error) {
    // Somebody removed it a moment ago.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { path, bytes: (await stat(copy)).size, hash: await hashFile(copy) };
}

/**
 * Writes everything of an installation into a new folder, while it runs: the tables as they are at one moment, as lines of
 * JSON, then the media, and last a manifest with the hash of each. The folder takes its name when it is whole.
 * @throws BackupError when the folder is there already, or the database has never been used
 */
export async function writeBackup({ db, clock, dataFolder, target, program, onStep }: BackupPlan): Promise<Manifest> {
  if (await stat(target).catch(() => null))
    throw new BackupError(`${target} is there already. Name a new folder; nothing is overwritten.`);
  const migrations = await migrationsOf(db);
  if (migrations.length === 0) throw new BackupError('This database is empty. There is nothing to back up.');
  const draft = `${target}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, NAMES.tables), { recursive: true, mode: 0o700 });
  await chmod(draft, 0o700);
  try {
    const tables = await atOneMoment(db, async (snapshot) => {
      const list: Manifest['tables'] = [];
      for (const shape of await shapesOf(snapshot)) {
        onStep?.(shape.name);
        list.push(await writeTable(snapshot, shape, join(draft, NAMES.tables, `${shape.name}.jsonl`)));
      }
      return list;
    });
    const files: Manifest['files'] = [];
    for await (const file of filesBelow(join(dataFolder, NAMES.media))) {
      const copied = await copyInto(dataFolder, file, draft);
      if (copied) files.push(copied);
      onStep?.(`${files.length} files`);
    }
    const key = join(dataFolder, KEY_FILE);
    if (await stat(key).catch(() => null)) {
      files.push((await copyInto(dataFolder, key, draft))!);
      await chmod(join(draft, KEY_FILE), 0o600);
    }
    const manifest: Manifest = { format: FORMAT, program, at: stampOf(clock.now()), migrations, tables, files };
    await writeFile(join(draft, NAMES.manifest), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, target);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}
