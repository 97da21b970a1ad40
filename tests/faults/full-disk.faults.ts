import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/contract/client.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { StartedServer } from '../harness/started-server.ts';
import { measuresOf, readyOf } from './cluster.ts';

const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };
/** Megabytes of the disk. */
const SIZE = 24;
const MEGABYTE = 1024 * 1024;

// The disk is a file system in memory of some megabytes, which only root may mount.
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}m`, 'tmpfs', folder]);
});
afterAll(async () => {
  execFileSync('umount', [folder]);
  await rm(folder, { recursive: true });
});

it('a full disk is said by its name, loses nothing that was acknowledged, and is well with room again', async () => {
  const server = new StartedServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: LOGIN.password });
  const origin = await server.address();
  let token = '';
  const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
  await client.users.login({ body: LOGIN });
  const stuffing = join(folder, 'stuffing');
  await writeFile(stuffing, Buffer.alloc(8 * MEGABYTE));

  const acknowledged: string[] = [];
  const title = () => `Written ${crypto.randomUUID()} ${'x'.repeat(150)}`;
  const write = async (): Promise<ApiError | null> => {
    const written = title();
    try {
      await client.rooms.create({ body: { title: written } });
      acknowledged.push(written);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  };
  for (let index = 0; index < 100; index++) expect(await write()).toBeNull();
  let refusal: ApiError | null = null;
  // Fill what is left at once, and the rest by writing.
  const filler = join(folder, 'filler');
  for (let size = 16 * MEGABYTE; size >= 64 * 1024; size /= 2)
    await writeFile(filler, Buffer.alloc(size), { flag: 'a' }).catch(() => {});
  for (let index = 0; index < 5000 && refusal === null; index++) refusal = await write();
  expect([refusal!.status, refusal!.msg.error, refusal!.wait]).toEqual([503, ["The server's disk is full."], 5]);
  await expect.poll(async () => (await readyOf(origin)).answered, { timeout: 30_000 }).toBe(503);
  const full = await readyOf(origin);
  expect(full.parts.disk!.problem).toMatch(/^The disk of DATA_DIR is full/);
  expect((await client.rooms.list()).meta.total).toBe(acknowledged.length);
  const during = await measuresOf(
    origin,
    'enfilade_disk_',
    'enfilade_database_errors_total{kind="full"}',
    'enfilade_database_wal',
  );
  const errors = server.lines().filter(({ level }) => level >= 50);
  expect(JSON.stringify(errors)).toContain('database or disk is full');
  expect(server.output).not.toContain('cannot rollback');

  await rm(filler);
  await expect.poll(async () => (await readyOf(origin)).answered, { timeout: 30_000 }).toBe(200);
  expect(await write()).toBeNull();
  const found: string[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await client.rooms.list({ query: { page, per_page: 100 } });
    found.push(...data.map((room) => room.title));
    last = meta.last_page;
  }
  const lost = acknowledged.filter((written) => !found.includes(written));
  const log = server.lines().flatMap(({ level, msg, err }) => (level >= 40 ? [err?.message ?? msg] : []));
  console.log(
    `Full disk: ${JSON.stringify({ acknowledged: acknowledged.length, lost: lost.length, readyz: full.parts.disk, during, log }, null, 1)}`,
  );
  expect(lost).toEqual([]);
  await server.kill();
});
