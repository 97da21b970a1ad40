import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingsSchema } from '../../src/server/core/settings.ts';
import { ROOT, StartedServer } from '../harness/started-server.ts';

const page = await readFile(join(ROOT, 'OPERATING.md'), 'utf8');
/** Names of the server's metrics: another test compares the list with the endpoint. */
const metrics = new Set([...page.matchAll(/^\| `(enfilade_\w+)` \|/gm)].map(([, name]) => name!));

/** Metrics that a text mentions, without the suffixes of histograms. */
const named = (text: string) =>
  [...text.matchAll(/\benfilade_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));

describe('the page for operators', () => {
  let folder: string;
  let server: StartedServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-operating-'));
    for (const name of ['installation', 'bin', 'backups']) await mkdir(join(folder, name));
    const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(ROOT, 'cli/enfilade.js')}' "$@"\n`;
    await writeFile(join(folder, 'bin/npx'), npx, { mode: 0o755 });
    server = new StartedServer({ DATA_DIR: join(folder, 'installation/data'), DEMO: '1' });
    await server.address();
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('has commands that work one after another, while the server runs', { timeout: 300_000 }, async () => {
    const blocks = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block!);
    const lines = blocks.flatMap((block) =>
      block
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    );
    expect([blocks.length, lines.length]).toEqual([3, 9]);
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder };
    const options = { cwd: join(folder, 'installation'), env };
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], options);
      if (line.includes('verify')) expect(stdout, line).toMatch(/ is complete: \d+ rows/);
      if (line.includes('org list')) expect(stdout, line).toContain('Enfilade demo');
      if (line.includes('dry-run')) expect(stdout, line).toContain('is up to date');
    }
    expect((await readdir(join(folder, 'backups'))).sort()).toEqual([
      'streamed.enfilade-backup.zip',
      'today.enfilade-backup.zip',
    ]);
    expect(await readdir(options.cwd)).toEqual(['data']);
  });

  it('names metrics, settings and files that there are, and so do the alert rules', async () => {
    expect(metrics.size).toBeGreaterThanOrEqual(40);
    const prose = page.replace(/<!-- metrics -->[\s\S]*<!-- \/metrics -->/, '');
    expect(named(prose).filter((name) => name !== 'enfilade_' && !metrics.has(name))).toEqual([]);
    const settings = [...page.matchAll(/`([A-Z][A-Z0-9]+_[A-Z0-9_]+)[`=]/g)].map(([, name]) =>
      name!.replace(/_FILE$/, ''),
    );
    const others = ['SITE_ADDRESS'];
    expect(settings.length).toBeGreaterThan(15);
    expect(settings.filter((name) => !(name in settingsSchema.shape) && !others.includes(name))).toEqual([]);
    for (const [, path] of page.matchAll(/`(deploy\/[\w./-]+)`|\]\(([\w./-]+)\)/g))
      if (path) await expect(readFile(join(ROOT, path)), path).resolves.toBeDefined();

    const { groups } = parse(await readFile(join(ROOT, 'deploy/prometheus-alerts.yaml'), 'utf8'));
    const rules = groups.flatMap((group: { rules: object[] }) => group.rules);
    expect(rules.length).toBeGreaterThan(8);
    for (const { alert, expr, annotations } of rules) {
      expect(alert).toMatch(/^Enfilade[A-Z]/);
      expect(annotations.summary, alert).toMatch(/\.$/);
      const used = named(expr);
      expect(
        used.filter((name) => !metrics.has(name)),
        alert,
      ).toEqual([]);
      expect(used.length > 0 || expr.includes('up{'), alert).toBe(true);
    }
  });
});
