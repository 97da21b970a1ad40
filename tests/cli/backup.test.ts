import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { createDatabase } from '../harness/test-database.ts';

interface Manifest {
  tables: { name: string; rows: number; hash: string }[];
}

describe.each(databases)('backups on %s', { timeout: 300_000 }, (kind) => {
  let line: CommandLine;
  let place: string[];
  let drop: () => Promise<void>;
  beforeAll(async () => {
    line = await CommandLine.here({});
    const database = await createDatabase(kind);
    ({ drop } = database);
    place = ['--data', `data-${kind}`, ...(database.url ? ['--database', database.url] : [])];
    await line.done('org', 'create', '--name', 'Hall', '--email', 'kim@example.com', ...place);
  });
  afterAll(async () => {
    await line.close();
    await drop();
  });

  const manifestOf = async (folder: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(line.folder, folder, 'manifest.json'), 'utf8'));

  test('goes to standard output, and is verified without being restored', async () => {
    const chunks: Buffer[] = [];
    const streamed = await line.run(['backup', '-', ...place], {
      onStart: (child) => child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk)),
    });
    expect([streamed.code, streamed.error]).toEqual([0, expect.stringMatching(/^standard output: \d+ rows of/)]);
    expect(await readdir(line.folder)).not.toContain('-');
    const file = join(line.folder, `streamed-${kind}.zip`);
    const whole = Buffer.concat(chunks);
    await writeFile(file, whole);
    const verified = await line.run(['backup', 'verify', file]);
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(`${file} is complete: `)]);
    expect(await line.json('backup', 'verify', file)).toMatchObject({
      rows: expect.any(Number),
      program: expect.any(String),
    });
    await writeFile(file, whole.subarray(0, whole.length - 100));
    const cut = await line.run(['backup', 'verify', file]);
    expect([cut.code, cut.error]).toEqual([1, expect.stringContaining('is no backup, or is cut off')]);
    expect((await line.run(['backup', 'verify', 'none.zip'])).error).toContain('none.zip is no backup');
  });

  test('a backup whose rows contradict each other is undone where it was begun', async () => {
    const backup = `contradicting-${kind}`;
    await line.done('backup', backup, ...place);
    const at = (path: string) => join(line.folder, backup, path);
    const manifest = await manifestOf(backup);
    const table = manifest.tables.find(({ name }) => name === 'organizations')!;
    const rows = (await readFile(at('tables/organizations.jsonl'), 'utf8')).trimEnd().split('\n');
    // The same row twice, with hashes that fit.
    const twice = `${[...rows, rows[0]!].join('\n')}\n`;
    await writeFile(at('tables/organizations.jsonl'), twice);
    Object.assign(table, { rows: rows.length + 1, hash: createHash('sha256').update(twice).digest('hex') });
    await writeFile(at('manifest.json'), JSON.stringify(manifest));
    const elsewhere = await createDatabase(kind);
    const data = `undone-${kind}`;
    const run = await line.run([
      'restore',
      backup,
      '--data',
      data,
      ...(elsewhere.url ? ['--database', elsewhere.url] : []),
    ]);
    expect(run).toMatchObject({ code: 1, error: expect.stringContaining("The backup can't be restored: ") });
    expect(run.error).toContain('Its rows and files were removed again.');
    const left = (
      await readdir(join(line.folder, data), { recursive: true, withFileTypes: true }).catch(() => [])
    ).filter((entry) => entry.isFile());
    expect(left.map(({ name }) => name)).toEqual([]);
    await elsewhere.drop();
  });
});
