import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Arrow, cyclesOf, edgesBetween, folderOf, importsWithin, packagesWithin } from './import-graph.ts';
import { FEATURE_ORDER, IMPORT_RULES, SERVER_LAYERS } from './import-rules.ts';

/** Parts in which folders lead one way only. */
const PARTS = ['src/server', 'src/editor', 'src/admin', 'src/viewer', 'engine/scene', 'engine/stage', 'engine/tools'];

/** Parts without a cycle of files, where imports of types count too. */
const WITHOUT_FILE_CYCLES = [
  'engine',
  'src/contract',
  'src/server',
  'src/ui',
  'src/admin',
  'src/editor',
  'src/viewer',
  'src/sdk',
  'cli',
];

const layerOf = (path: string) => {
  const [, , layer = '', ...below] = path.split('/');
  return below.length === 0 ? SERVER_LAYERS.length : SERVER_LAYERS.indexOf(layer);
};
const featureOf = (path: string) => /^src\/server\/features\/([^/]+)\//.exec(path)?.[1];
const named = ({ from, to }: Arrow) => `${from} -> ${to}`;

describe('the server', () => {
  const arrows = importsWithin('src/server');

  test('imports downwards only, types included', () => {
    expect(arrows.length).toBeGreaterThan(1000);
    expect(arrows.flatMap(({ from, to }) => [from, to]).filter((path) => layerOf(path) < 0)).toEqual([]);
    const up = arrows.filter(({ from, to }) => layerOf(to) > layerOf(from));
    console.info(`src/server: ${arrows.length} imports, ${up.length} of them up`);
    expect(up.map(named)).toEqual([]);
  });

  test('lists every feature once', () => {
    const features = readdirSync('src/server/features').toSorted();
    expect(features.length).toBeGreaterThan(20);
    expect(FEATURE_ORDER.toSorted()).toEqual(features);
  });

  test('has features that import only those listed before them', () => {
    const place = (path: string) => FEATURE_ORDER.indexOf(featureOf(path)!);
    const between = arrows.filter(
      ({ from, to }) => featureOf(from) && featureOf(to) && featureOf(from) !== featureOf(to),
    );
    expect(between.length).toBeGreaterThan(200);
    expect(between.filter(({ from, to }) => place(to) > place(from)).map(named)).toEqual([]);
  });

  test('has routes that only the composition imports', () => {
    const importers = arrows.filter(({ to }) => to.endsWith('/routes.ts'));
    expect(importers.length).toBeGreaterThan(20);
    expect(importers.filter(({ from }) => from !== 'src/server/app/handlers.ts').map(named)).toEqual([]);
  });
});

const partOf = (path: string) =>
  Object.keys(IMPORT_RULES)
    .filter((part) => path.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)[0];

describe('the parts of the project', () => {
  const arrows = importsWithin('{engine,src,cli}');

  test('import only what the rules allow them', () => {
    expect(arrows.length).toBeGreaterThan(3000);
    const refused = arrows.filter(({ from, to }) => {
      const [part, other] = [partOf(from), partOf(to)];
      return !part || !other || (part !== other && !IMPORT_RULES[part]!.parts.includes(other));
    });
    expect(refused.map(named)).toEqual([]);
  });

  test('import none of the packages that are kept out of them', () => {
    const packages = packagesWithin('{engine,src,cli}');
    expect(packages.length).toBeGreaterThan(1000);
    const refused = packages.filter(({ from, name }) =>
      IMPORT_RULES[partOf(from) ?? '']?.withoutPackages.some((kept) =>
        /[/:]$/.test(kept) ? name.startsWith(kept) : name === kept,
      ),
    );
    expect(refused.map(({ from, name }) => `${from} -> ${name}`)).toEqual([]);
  });
});

describe.each(PARTS)('%s', (part) => {
  test('has no cycle of folders at run time', () => {
    const edges = edgesBetween(
      importsWithin(part).filter(({ isType }) => !isType),
      folderOf,
    );
    const cycles = cyclesOf(edges);
    console.info(`${part}: ${edges.size} folders import others, ${cycles.length} cycles`);
    expect(cycles).toEqual([]);
  });
});

describe.each(WITHOUT_FILE_CYCLES)('%s', (part) => {
  test('has no cycle of files, not even of types', () => {
    expect(cyclesOf(edgesBetween(importsWithin(part)))).toEqual([]);
  });
});

test('a cycle of two folders is found', () => {
  const there = { from: 'a/one.ts', to: 'b/two.ts', isType: false };
  const back = { from: 'b/three.ts', to: 'a/four.ts', isType: false };
  expect(cyclesOf(edgesBetween([there, back], folderOf))).toEqual([['a', 'b']]);
  expect(cyclesOf(edgesBetween([there, back]))).toEqual([]);
});
