import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE, openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';

let migrated: Promise<Buffer> | undefined;

async function migratedFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-migrated-'));
  const db = openDatabase({ folder });
  await migrate(db);
  await db.destroy();
  const content = await readFile(join(folder, DATABASE_FILE));
  await rm(folder, { recursive: true });
  return content;
}

/** Copies a migrated SQLite database into a data folder: migrations run once per process. */
export async function layMigrated(folder: string): Promise<void> {
  migrated ??= migratedFile();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, DATABASE_FILE), await migrated);
}
