import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decoders } from '../../../../../src/server/core/files/decoders/decoders.ts';
import { DECODER_JOBS, DECODER_MEMORY } from '../../../../../src/server/core/files/decoders/limits.ts';
import { ofOrganization, type Requester } from '../../../../../src/server/core/files/decoders/turns.ts';
import { readPs } from '../../../../../src/server/core/files/process-use.ts';
import { refused } from '../../../../harness/api-app.ts';
import { ROOT } from '../../../../harness/started-server.ts';

const MEGABYTE = 1024 * 1024;
const visitor: Requester = { sender: 'visitor', organizationId: 1, address: 'a' };

/** Decoders of a process. */
async function decodersOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes('decoders/decoder.ts') && Number(line.trim().split(/\s+/)[1]) === pid)
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}
/** A promise that fails no test but the one that awaits it, even if that fails first. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Whether a process runs: one that nobody has waited for yet does not. */
const runs = async (pid: number) => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.startsWith('Z');
};

describe('decoders', () => {
  let folder: string;
  let large: string;
  let small: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-decoders-'));
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 4, background: '#b7822f' } });
    large = join(folder, 'large.png');
    small = join(folder, 'small.png');
    await writeFile(large, await plain(5000, 5000).png().toBuffer());
    await writeFile(small, await plain(50, 50).png().toBuffer());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const turned = async (path: string) => {
    const target = `${path}.turned.png`;
    await writeFile(target, await sharp(path).withMetadata({ orientation: 6 }).png().toBuffer());
    return target;
  };
  const read = (decoders: Decoders, path: string, requester: Requester = visitor) =>
    decoders.run('readPicture', { path, folder, sender: requester.sender }, requester);

  it('security 72: one that takes too much memory is ended, and its file is refused; others are decoded', async () => {
    const decoders = new Decoders({ memory: { ...DECODER_MEMORY, visitor: 140 * MEGABYTE } });
    const path = await turned(large);
    try {
      const beside = handled(read(decoders, small, ofOrganization(2)));
      const error = await refused(read(decoders, path));
      expect(error).toMatchObject({ code: 'bad_file', status: 422 });
      expect(error.message).toBe('The image takes too much memory to decode; send a smaller one.');
      expect(await beside).toMatchObject({ width: 50 });
      expect(await read(decoders, small)).toMatchObject({ width: 50 });
      // Users may send more.
      expect(await read(decoders, path, ofOrganization(1))).toMatchObject({ width: 5000 });
    } finally {
      await decoders.close();
    }
  });

  it('security 72: one that computes too long is ended', async () => {
    const readPicture = { ...DECODER_JOBS.readPicture, seconds: 0.05 };
    const decoders = new Decoders({ jobs: { ...DECODER_JOBS, readPicture } });
    try {
      const error = await refused(read(decoders, await turned(large)));
      expect(error.message).toBe('The image takes too long to decode; send a smaller one.');
    } finally {
      await decoders.close();
    }
  });

  it('security 72: one that crashes gives one clear error, and is replaced', async () => {
    const decoders = new Decoders();
    // Reading a pipe without a writer takes as long as one likes, so the decoder is surely at work when it crashes.
    const pipe = join(folder, 'pipe.png');
    await promisify(execFile)('mkfifo', [pipe]);
    let writer: FileHandle | undefined;
    const isRead = async () => {
      writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
      return writer !== undefined;
    };
    try {
      // Processes of earlier tests may still be ending.
      const before = new Set(await decodersOf(process.pid));
      await read(decoders, small);
      const own = (await decodersOf(process.pid)).filter((pid) => !before.has(pid));
      expect(own).toHaveLength(1);
      const reading = handled(refused(read(decoders, pipe)));
      await expect.poll(isRead).toBe(true);
      process.kill(own[0]!, 'SIGSEGV');
      expect((await reading).message).toBe('The image crashed its decoder; send a smaller one.');
      expect(await read(decoders, small)).toMatchObject({ width: 50 });
    } finally {
      await decoders.close();
      await writer?.close();
    }
  });

  it('security 72: responds while it works, and says so when a decoder does not', async () => {
    // Other tests of this process may have decoders, too.
    const others = new Set(await decodersOf(process.pid));
    const decoders = new Decoders();
    try {
      expect(await decoders.responds()).toBe(true);
      const reading = handled(read(decoders, large));
      expect(await decoders.responds()).toBe(true);
      await reading;
      const own = (await decodersOf(process.pid)).filter((pid) => !others.has(pid));
      expect(own.length).toBeGreaterThan(0);
      for (const pid of own) process.kill(pid, 'SIGSTOP');
      expect(await decoders.responds()).toBe(false);
    } finally {
      await decoders.close();
    }
  });

  it('security 72: sees no settings, and ends with the server even when that is killed', async () => {
    const script = `
      const { Decoders } = await import('./src/server/core/files/decoders/decoders.ts');
      console.log(await new Decoders().responds());
      setInterval(() => {}, 1000);`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
      env: { ...process.env, SECRET_KEY: 'not for decoders' },
    });
    const said = await new Promise((resolve) => server.stdout.once('data', resolve));
    expect(String(said)).toBe('true\n');
    const [pid] = await decodersOf(server.pid!);
    expect(pid).toBeGreaterThan(0);
    if (process.platform === 'linux')
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('SECRET_KEY');
    server.kill('SIGKILL');
    await expect.poll(() => runs(pid!)).toBe(false);
  });

  it('reads what ps prints on other systems', () => {
    expect(readPs('  81234   0:01.23\n')).toEqual({ memory: 81_234 * 1024, computed: 1.23 });
    expect(readPs('512 1-02:03:04')).toEqual({ memory: 512 * 1024, computed: 93_784 });
    expect(readPs('')).toBeNull();
  });
});
