import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const FEATURES = 'src/server/features';

/** The start of a query. Backups write their own SQL: they copy whole tables, whatever the columns. */
const QUERY = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\s*[(<]/;
const hasQuery = (path: string) => QUERY.test(readFileSync(path, 'utf8'));

describe.each(readdirSync(FEATURES).filter((name) => existsSync(`${FEATURES}/${name}/routes.ts`)))(
  'the routes of %s',
  (feature) => {
    test('parse, call and answer: queries and transactions are elsewhere', () => {
      const text = readFileSync(`${FEATURES}/${feature}/routes.ts`, 'utf8');
      expect(text).not.toMatch(QUERY);
      expect(text).not.toMatch(/\.transaction\(\)|withinQuotas\(/);
    });
  },
);

test.each(['pages', 'app'])('%s has no queries', (layer) => {
  const files = globSync(`src/server/${layer}/**/*.ts`);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter(hasQuery)).toEqual([]);
});

test('a query is found in features', () => {
  expect(globSync(`${FEATURES}/**/*.ts`).filter(hasQuery).length).toBeGreaterThan(30);
});
