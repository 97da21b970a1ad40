import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restoreBackup, withBackup } from '../../../../src/server/app/backup/restore-backup.ts';
import { writeBackup } from '../../../../src/server/app/backup/write-backup.ts';
import { systemClock } from '../../../../src/server/core/clock.ts';
import { type Database, openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { BACKUP_NOTE, readNote } from '../../../../src/server/core/db/notes.ts';
import { MediaStore } from '../../../../src/server/core/files/media-store.ts';
import { keyCheck, replaceKey, requireKey } from '../../../../src/server/core/secrets/key-check.ts';
import { settingsSchema } from '../../../../src/server/core/settings.ts';
import { createDatabase, databases } from '../../../harness/test-database.ts';
import { insertOrganization } from '../../../harness/test-organizations.ts';

describe.each(databases)('the check of the key, on %s', (kind) => {
  let folder: string;
  let db: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-key-'));
    const created = await createDatabase(kind);
    drop = created.drop;
    db = openDatabase({ url: created.url, folder });
    await migrate(db);
    await insertOrganization(db, systemClock, null);
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
    await rm(folder, { recursive: true });
  });

  const keyed = (SECRET_KEY?: string, DATA_DIR = folder) => ({
    db,
    clock: systemClock,
    settings: settingsSchema.parse({ DATA_DIR, ...(SECRET_KEY && { SECRET_KEY }) }),
  });
  const FIRST = 'a'.repeat(32);
  const OTHER = 'b'.repeat(32);

  test('a database without a check gets one, also when two servers start at once; another key is refused', async () => {
    await Promise.all([requireKey(keyed(FIRST)), requireKey(keyed(FIRST))]);
    await requireKey(keyed(FIRST));
    await expect(requireKey(keyed(OTHER))).rejects.toThrow(/^SECRET_KEY doesn't match the key/);
    expect(await keyCheck(keyed(FIRST))()).toEqual({ state: 'ok', problem: null });
    expect(await keyCheck(keyed(OTHER))()).toMatchObject({ state: 'failed' });
  });

  test('a missing key file is not made anew', async () => {
    await expect(requireKey(keyed())).rejects.toThrow(/^The key file secret\.key in DATA_DIR \(.*\) is missing/);
    await expect(readFile(join(folder, 'secret.key'))).rejects.toThrow('ENOENT');
  });

  test('a key that is lost is replaced on request', async () => {
    await replaceKey(keyed(OTHER));
    await requireKey(keyed(OTHER));
    await expect(requireKey(keyed(FIRST))).rejects.toThrow(/^SECRET_KEY doesn't match the key/);
    await replaceKey(keyed(FIRST));
  });

  test('a backup brings the check along with its key, and notes when it ended', async () => {
    await writeFile(join(folder, 'secret.key'), 'the key of this folder');
    await replaceKey(keyed());
    const target = join(folder, 'backup');
    const media = new MediaStore(folder);
    const plan = { db, clock: systemClock, media, dataFolder: folder, program: '0' };
    await writeBackup({ ...plan, target });
    const note = await readNote(db, BACKUP_NOTE);
    expect([Date.parse(note!.done!) > 0, note!.failed]).toEqual([true, null]);
    const elsewhere = await mkdtemp(join(tmpdir(), 'enfilade-key-'));
    const { url, drop: dropOther } = await createDatabase(kind);
    const restored = openDatabase({ url, folder: elsewhere });
    await withBackup(target, (backup) =>
      restoreBackup({ db: restored, media: new MediaStore(elsewhere), dataFolder: elsewhere, backup }),
    );
    await requireKey({ ...keyed(undefined, elsewhere), db: restored });
    await expect(requireKey({ ...keyed(OTHER, elsewhere), db: restored })).rejects.toThrow(
      /^SECRET_KEY doesn't match the key/,
    );
    await restored.destroy();
    await dropOther();
    await rm(elsewhere, { recursive: true });
  });
});
