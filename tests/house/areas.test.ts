import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const AREAS = 'src/server/areas';
const areas = readdirSync(AREAS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

/** What an area does. A word that is not here needs a reason: most things are created, read, updated or removed. */
const VERBS = [
  ...['create', 'list', 'find', 'read', 'update', 'remove', 'copy', 'sort', 'restore', 'check', 'reset'],
  ...[
    'commit',
    'connect',
    'count',
    'end',
    'enter',
    'erase',
    'hide',
    'invite',
    'lock',
    'publish',
    'redeem',
    'share',
    'sign',
    'unpublish',
  ],
];
const NAME = new RegExp(`^(?:handlers|(?:${VERBS.join('|')})(?:-[a-z0-9]+)+)\\.ts$`);

/** What begins a query. Backups write SQL of their own: they copy whole tables, whatever is in them. */
const QUERY = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\s*[(<]/;

describe.each(areas)('the area %s', (area) => {
  const files = readdirSync(`${AREAS}/${area}`);

  test('has handlers, and besides them files that are named by a verb and what it is done to', () => {
    expect(files).toContain('handlers.ts');
    expect(files.filter((file) => !NAME.test(file))).toEqual([]);
  });

  test('has handlers that parse and call: what changes anything as a whole does it elsewhere', () => {
    expect(readFileSync(`${AREAS}/${area}/handlers.ts`, 'utf8')).not.toMatch(/\.transaction\(\)|withinQuotas\(/);
  });
});

test('no verb is in the list that no file begins with', () => {
  const begun = new Set(globSync(`${AREAS}/*/*.ts`).map((path) => path.split('/').at(-1)!.split('-')[0]));
  expect(VERBS.filter((verb) => !begun.has(verb))).toEqual([]);
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
