import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../src/server/core/settings.ts';
import { ROOT } from '../harness/started-server.ts';

/** systemd's exposure from 0 to 100 that the unit must stay below; without hardening it is 96. */
const MAX_EXPOSURE = 25;

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('systemd-analyze is not installed, so the unit is not checked by it.');
    return false;
  }
}

const unit = () => readFile(join(ROOT, 'deploy/enfilade.service'), 'utf8');

describe('the systemd unit', () => {
  it('runs what npm start runs, with settings that exist, and gives it the time to stop', async () => {
    const text = await unit();
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    const [, node, script] = /^ExecStart=(\S+) (\S+) --no-build$/m.exec(text)!;
    expect(node).toBe('/opt/enfilade/node_modules/node/bin/node');
    expect(`node ${script!.replace('/opt/enfilade/', '')}`).toBe(scripts.start);
    const named = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, pairs]) => pairs!.split(' '));
    const values = new Map(named.map((pair) => pair.split('=') as [string, string]));
    const ours = [...values.keys()].filter((name) => !['NODE_ENV', 'MALLOC_ARENA_MAX'].includes(name));
    expect(ours.filter((name) => !(name.replace(/_FILE$/, '') in settingsSchema.shape))).toEqual([]);
    const grace = settingsSchema.shape.SHUTDOWN_GRACE.parse(undefined);
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)![1]);
    expect(stop).toBeGreaterThan(Number(values.get('SHUTDOWN_DELAY')) + grace);
  });

  it.skipIf(!hasSystemd())('is valid, and leaves the service few rights', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-unit-'));
    try {
      const path = join(folder, 'enfilade.service');
      // The project stands elsewhere here.
      await writeFile(path, (await unit()).replaceAll('/opt/enfilade', ROOT));
      const run = promisify(execFile);
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', path]);
      expect(stderr.split('\n').filter((line) => line.includes('enfilade.service'))).toEqual([]);
      await run('systemd-analyze', ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, path]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
