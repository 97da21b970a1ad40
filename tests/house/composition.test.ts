import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('every page with fields of React ignores keys of an input method before anything listens to keys', () => {
  const mains = globSync('src/{*,viewer/preview}/main.tsx', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
  expect(mains.map(({ path }) => path).sort()).toEqual([
    'src/admin/main.tsx',
    'src/check-in/main.tsx',
    'src/editor/main.tsx',
    'src/viewer/preview/main.tsx',
  ]);
  for (const { path, text } of mains) {
    const called = text.indexOf('\nignoreComposition();');
    expect(called, path).toBeGreaterThan(0);
    expect(called, path).toBeLessThan(text.search(/\n(?:await mountPage|createRoot)\(/));
  }
});
