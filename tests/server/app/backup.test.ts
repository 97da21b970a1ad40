import { cpSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../../src/server/app/backup/write-backup.ts';
import { DATABASE_FILE } from '../../../src/server/core/db/database.ts';
import { ApiApp } from '../../harness/api-app.ts';

let api: ApiApp;
let folder: string;
beforeAll(async () => {
  [api, folder] = await Promise.all([ApiApp.start('sqlite'), mkdtemp(join(tmpdir(), 'enfilade-backup-'))]);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

test('security 63: has the file of every row, also of one that goes or comes while it is made, and no copy of a picture', async () => {
  const { db, clock, media, settings } = api.services;
  const png = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#B7822F' } })
    .png()
    .toBuffer();
  const file = new File([new Uint8Array(png)], 'wall.png');
  const { id, url } = await api.client().media.upload({ body: {}, files: { file } });
  expect((await fetch(`${api.origin}${url}?width=200`)).status).toBe(200);
  const { hash } = await db.selectFrom('media').select('hash').where('id', '=', id).executeTakeFirstOrThrow();
  const late = 'f'.repeat(64);

  const steps: string[] = [];
  const target = join(folder, 'backup');
  const { tables, files } = await writeBackup({
    db,
    clock,
    media,
    dataFolder: settings.DATA_DIR,
    target,
    program: 'test',
    onStep: (step) => {
      steps.push(step);
      if (step === '1 files') {
        // Another process, such as the server, adds a picture just before the tables are read.
        cpSync(media.folderOf(hash), media.folderOf(late), { recursive: true });
        const other = new DatabaseSync(join(settings.DATA_DIR, DATABASE_FILE));
        other.exec(`create temp table one as select * from media; update one set id = 99, hash = '${late}';
          insert into media select * from one`);
        other.close();
      }
      // And removes the other one as soon as they are.
      if (step === 'visitor_sessions') rmSync(media.folderOf(hash), { recursive: true });
    },
  });
  expect(steps).toContain('visitor_sessions');
  expect(tables.find(({ name }) => name === 'media')).toMatchObject({ rows: 2 });
  const shelf = (of: string) => `media/${of.slice(0, 2)}/${of}/wall.png`;
  expect(files.map(({ path }) => path).sort()).toEqual([shelf(hash), shelf(late)].sort());
  expect(await readFile(join(target, shelf(hash)))).toEqual(png);
});
