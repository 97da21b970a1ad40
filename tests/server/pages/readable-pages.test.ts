import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeReadable } from '../../../src/server/pages/build-pages.ts';

test('security 84: pages that a private server builds can be read by every user of the machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-pages-'));
  try {
    await mkdir(join(folder, 'assets'), { mode: 0o700 });
    await writeFile(join(folder, 'index.html'), '', { mode: 0o600 });
    await writeFile(join(folder, 'assets/app.js'), '', { mode: 0o600 });
    await makeReadable(folder);
    const modes = await Promise.all(
      ['', 'assets', 'index.html', 'assets/app.js'].map(async (path) => (await stat(join(folder, path))).mode & 0o777),
    );
    expect(modes).toEqual([0o755, 0o755, 0o644, 0o644]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
