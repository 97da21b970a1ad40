import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { migrationsOf } from '../../core/db/migrate.ts';
import { BACKUP_NOTE, readNote, writeNote } from '../../core/db/notes.ts';
import { openFile } from '../../core/disk.ts';
import type { KeptFile, MediaStore } from '../../core/files/media-store.ts';
import { KEY_FILE } from '../../core/secrets/seal-token.ts';
import type { BackupTarget } from './backup-target.ts';
import { beginBackup } from './begin-backup.ts';
import { lineOf } from './digest.ts';
import { BackupError, FORMAT, type Manifest, NAMES, tablePath } from './manifest.ts';
import { atOneMoment, lastIdOf, readRows, shapesOf, type TableShape } from './stored-rows.ts';

/** Source and destination of a backup. */
export interface BackupPlan {
  db: Database;
  clock: Clock;
  media: MediaStore;
  /** Folder of the key that encrypts tokens. */
  dataFolder: string;
  /** Folder to write, or file if the name ends with .zip; must not exist. A stream gets an archive. */
  target: string | NodeJS.WritableStream;
  /** Version of the program. */
  program: string;
  /** Receives progress messages. */
  onStep?(text: string): void;
}

/** Tables that must not outlive their day. */
const NOT_BACKED_UP: ReadonlySet<string> = new Set(['statistics_salts']);

async function writeTable(db: Database, shape: TableShape, target: BackupTarget): Promise<Manifest['tables'][number]> {
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of readRows(db, shape)) {
      rows += batch.length;
      yield batch.map(lineOf).join('');
    }
  }
  const { hash } = await target.add(tablePath(shape.name), Readable.from(lines()), { isPacked: true });
  return { ...shape, columns: [...shape.columns], last_id: await lastIdOf(db, shape.name), rows, hash };
}

async function addFile({ path, open }: KeptFile, target: BackupTarget): Promise<Manifest['files'][number] | null> {
  const opened = await open();
  return opened && { path, ...(await target.add(path, opened.content, { bytes: opened.bytes, isPacked: false })) };
}

/** Adds media files that the backup doesn't contain yet. */
async function addMedia({ media, onStep }: BackupPlan, target: BackupTarget, files: Manifest['files']): Promise<void> {
  const known = new Set(files.map(({ path }) => path));
  for await (const file of media.files()) {
    const added = known.has(file.path) ? null : await addFile(file, target);
    if (!added) continue;
    files.push(added);
    onStep?.(`${files.length} files`);
  }
}

/** Records the end of a backup for `/metrics`. Databases of older versions have no table for it. */
async function recordEnd({ db, clock }: BackupPlan, outcome: 'done' | 'failed'): Promise<void> {
  try {
    const before = await readNote(db, BACKUP_NOTE);
    const note = { done: null, failed: null, ...before, [outcome]: timestampOf(clock.now()) };
    await writeNote(db, clock, BACKUP_NOTE, note);
  } catch {
    // The backup succeeded even if this record can't be written.
  }
}

/**
 * Writes a complete backup to a new folder or file while the server runs: media, a consistent snapshot of the tables as
 * JSON lines, and finally a manifest with all hashes. The final name appears only once the backup is complete.
 * @throws BackupError if the target exists, or the database has never been used
 */
export async function writeBackup(plan: BackupPlan): Promise<Manifest> {
  const { db, clock, dataFolder, target, program, onStep } = plan;
  if (typeof target === 'string' && (await stat(target).catch(() => null)))
    throw new BackupError(`${target} is there already. Choose a new name; nothing is overwritten.`);
  const migrations = await migrationsOf(db);
  if (migrations.length === 0) throw new BackupError('This database is empty. There is nothing to back up.');
  const written = await beginBackup(target);
  try {
    const files: Manifest['files'] = [];
    // Files deleted before the table snapshot are referenced by no row; files deleted after it are already copied.
    await addMedia(plan, written, files);
    const tables = await atOneMoment(db, async (snapshot) => {
      const list: Manifest['tables'] = [];
      for (const shape of await shapesOf(snapshot)) {
        if (NOT_BACKED_UP.has(shape.name)) continue;
        onStep?.(shape.name);
        list.push(await writeTable(snapshot, shape, written));
      }
      return list;
    });
    // Files added in the meantime.
    await addMedia(plan, written, files);
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const keyFile = { path: KEY_FILE, open: () => openFile(join(dataFolder, KEY_FILE)) };
    const key = await addFile(keyFile, written);
    if (key) files.push(key);
    const manifest: Manifest = { format: FORMAT, program, at: timestampOf(clock.now()), migrations, tables, files };
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await written.add(NAMES.manifest, Readable.from([text]), { bytes: text.length, isPacked: true });
    await written.finish();
    await recordEnd(plan, 'done');
    return manifest;
  } catch (error) {
    await written.abandon();
    await recordEnd(plan, 'failed');
    throw error;
  }
}
