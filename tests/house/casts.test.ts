import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files with a value that no narrower cast or guard gives its type, because of the types of a library. */
const FORCED = [
  'src/server/core/db/copy-rows.ts',
  'src/server/core/db/prepared.ts',
  'src/server/core/db/sqlite.ts',
  'src/server/core/files/inspect/codes/code-rows.ts',
  'src/server/core/jobs/queue.ts',
];

const CAST = /\bas unknown as\b/;

const sources = ['engine', 'src', 'cli'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/${path}`),
);

const casting = sources
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }))
  .filter(({ lines }) => lines.some((line) => CAST.test(line)));

test('only where a library leaves nothing else, a value is cast by way of unknown', () => {
  expect(sources.length).toBeGreaterThan(1000);
  expect(casting.map(({ path }) => path).toSorted()).toEqual(FORCED);
});

test('each of these casts says above it which library, and why', () => {
  const silent = casting.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      CAST.test(line) && !/^\s*\/[/*]/.test(lines[index - 1] ?? '') ? [`${path}:${index + 1}`] : [],
    ),
  );
  expect(silent).toEqual([]);
});
