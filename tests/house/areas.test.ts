import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const AREAS = 'src/server/areas';
const areas = readdirSync(AREAS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

/** What begins a query. Backups write SQL of their own: they copy whole tables, whatever is in them. */
const QUERY = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\s*[(<]/;

describe.each(areas)('the area %s', (area) => {
  const files = readdirSync(`${AREAS}/${area}`);

  test('has handlers, and at most four files besides', () => {
    expect(files).toContain('handlers.ts');
    expect(files.length, files.join(', ')).toBeLessThanOrEqual(5);
  });

  test('has handlers that parse and call: what changes anything as a whole does it elsewhere', () => {
    expect(readFileSync(`${AREAS}/${area}/handlers.ts`, 'utf8')).not.toMatch(/\.transaction\(\)|withinQuotas\(/);
  });
});

test.each(['areas', 'jobs', 'http'])('queries stand in store: %s has none', (layer) => {
  const files = globSync(`src/server/${layer}/**/*.ts`);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => QUERY.test(readFileSync(path, 'utf8')))).toEqual([]);
});

test('a query is found in store', () => {
  expect(
    globSync('src/server/store/**/*.ts').filter((path) => QUERY.test(readFileSync(path, 'utf8'))).length,
  ).toBeGreaterThan(30);
});
