import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('npm ci prints no warnings, whatever Node npm itself runs on', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-install-'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    await copyFile(join(ROOT, name), join(folder, name));
  // Of a terminal: npm's own Node, and none of the settings of the npm that runs the tests.
  const PATH = process.env.PATH!.split(delimiter).filter((part) => !part.includes('node_modules'));
  const env = { HOME: process.env.HOME, PATH: PATH.join(delimiter) };
  const run = promisify(execFile)('npm', ['ci', '--dry-run', '--ignore-scripts', '--offline'], { cwd: folder, env });
  const { stderr } = await run.finally(() => rm(folder, { recursive: true, force: true }));
  expect(stderr).toBe('');
});
