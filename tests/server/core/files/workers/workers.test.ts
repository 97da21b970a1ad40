import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_LIMITS } from '../../../../../src/server/core/files/workers/limits.ts';
import { Workers } from '../../../../../src/server/core/files/workers/workers.ts';
import { refused } from '../../../../harness/api-app.ts';

const MEGABYTE = 1024 * 1024;
const page = (html: string) => [{ kind: 'page' as const, html }];
/** What takes seconds to make safe, and what takes no time. */
const LONG = page('<p style="color: red">a</p>'.repeat(400_000));
const SHORT = page('<p>a<script>b</script></p>');

const countOf = (workers: Workers, sample: string): number =>
  workers
    .measures()
    .flatMap(({ read }) => [...read()])
    .find(([{ job, outcome }]) => sample === `job="${job}",outcome="${outcome}"`)?.[1] ?? 0;

describe('workers', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-workers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('a job past its time is refused, and those before, beside and behind it are done', async () => {
    const workers = new Workers({ jobs: { ...JOB_LIMITS, cleanHtml: { ...JOB_LIMITS.cleanHtml, seconds: 0.2 } } });
    try {
      expect(await workers.run('cleanHtml', SHORT)).toEqual(['<p>a</p>']);
      const long = Array.from({ length: 3 }, () => refused(workers.run('cleanHtml', LONG)));
      const others = Array.from({ length: 5 }, () => workers.run('cleanHtml', SHORT));
      for (const error of await Promise.all(long)) {
        expect(error).toMatchObject({ code: 'invalid', status: 422 });
        expect(error.message).toBe('The HTML takes too long to read. Simplify it.');
      }
      for (const cleaned of await Promise.all(others)) expect(cleaned).toEqual(['<p>a</p>']);
      expect(countOf(workers, 'job="cleanHtml",outcome="time"')).toBe(3);
      expect(countOf(workers, 'job="cleanHtml",outcome="done"')).toBe(6);
    } finally {
      await workers.close();
    }
  });

  it('what a thread waits counts neither as its own time nor for ever', async () => {
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const withPatience = (patience: number) =>
      new Workers({ jobs: { ...JOB_LIMITS, checkItems: { ...JOB_LIMITS.checkItems, seconds: 0.3, patience } } });
    const patient = withPatience(1000);
    const impatient = withPatience(2);
    try {
      const read = patient.run('checkItems', pipe);
      await setTimeout(1000);
      await writeFile(pipe, '{"title":"Hall"}\n');
      expect(await read).toBeUndefined();
      const error = await refused(impatient.run('checkItems', pipe));
      expect(error.message).toBe('The file takes too long to read. Split it into several.');
    } finally {
      // Who still opens the pipe finds it with another end.
      await (await open(pipe, 'r+')).close();
      await Promise.all([patient.close(), impatient.close()]);
    }
  });

  it('a job past its memory is refused, and those beside and behind it are done', async () => {
    const workers = new Workers({
      jobs: { ...JOB_LIMITS, cleanHtml: { ...JOB_LIMITS.cleanHtml, seconds: 100 } },
      pool: { threads: 2, memory: 48 },
    });
    try {
      const large = refused(workers.run('cleanHtml', page('<p>a</p>'.repeat(1_000_000))));
      const beside = workers.run('cleanHtml', SHORT);
      const error = await large;
      expect(error).toMatchObject({ code: 'invalid', status: 422 });
      expect(error.message).toBe('The HTML takes too much memory to read. Simplify it.');
      expect(await beside).toEqual(['<p>a</p>']);
      expect(await workers.run('cleanHtml', SHORT)).toEqual(['<p>a</p>']);
      expect(countOf(workers, 'job="cleanHtml",outcome="memory"')).toBe(1);
    } finally {
      await workers.close();
    }
  });

  it('JSON that would take more memory than a thread has is refused before it is read', async () => {
    const workers = new Workers();
    const texts = [
      `{"a":[${'{},'.repeat(10 * MEGABYTE)}{}]}`,
      `{"a":[${'[],'.repeat(10 * MEGABYTE)}[]]}`,
      `{"a":[${'1,'.repeat(15 * MEGABYTE)}1]}`,
      `[${Array.from({ length: MEGABYTE }, (_, index) => `{"k${index}":{"j${index}":1}}`).join(',')}]`,
    ];
    try {
      for (const text of texts) {
        const path = join(folder, 'large.json');
        await writeFile(path, text);
        const beginning = text.slice(0, 12);
        const read = await refused(workers.run('readText', { path, name: 'model.gltf' }));
        expect(read, beginning).toMatchObject({ status: text.startsWith('[') ? 415 : 422 });
        const model = await refused(workers.run('readModel', { file: path, folder, alone: true }));
        expect(model.message, beginning).toBe('The JSON takes too much memory to parse. Simplify it.');
        const split = await refused(workers.run('splitItem', { bytes: Buffer.from(text), line: 7 }));
        expect(split.code, beginning).toBe('bad_file');
      }
    } finally {
      await workers.close();
    }
  });

  it('refusals arrive with their code and the field at fault, and what the system says with its own', async () => {
    const workers = new Workers();
    try {
      const path = join(folder, 'words.txt');
      await writeFile(path, 'words');
      const error = await refused(workers.run('readText', { path, name: 'words.txt' }));
      expect(error).toMatchObject({
        code: 'wrong_type',
        msg: {
          file: [expect.stringMatching(/^This file type isn't supported\. Supported: images \(JPEG, /)],
        },
      });
      const missing = workers.run('readText', { path: join(folder, 'nothing'), name: 'x' });
      await expect(missing).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' });
    } finally {
      await workers.close();
    }
  });

  it('who waits when the server stops is told so, and so is who comes later', async () => {
    const workers = new Workers();
    await workers.run('cleanHtml', SHORT);
    const jobs = Array.from({ length: 5 }, () => refused(workers.run('cleanHtml', LONG)));
    // All of them stand in the pool by the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    await workers.close();
    for (const error of await Promise.all(jobs)) expect(error).toMatchObject({ code: 'unavailable', status: 503 });
    expect(await refused(workers.run('cleanHtml', SHORT))).toMatchObject({ code: 'unavailable' });
  });
});
