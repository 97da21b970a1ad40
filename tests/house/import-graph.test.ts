import { describe, expect, test } from 'vitest';
import { type Arrow, cyclesOf, folderEdges, importsWithin } from './import-graph.ts';

/** Layers of the server, the lowest first. What stands beside them starts the program. */
const LAYERS = ['base', 'storage', 'providers', 'store', 'jobs', 'areas', 'http'];

/** Parts in which folders lead one way only. */
const PARTS = ['src/server', 'src/editor', 'src/admin', 'src/viewer', 'engine/scene', 'engine/stage'];

const layerOf = (path: string) => {
  const [, , layer = '', ...below] = path.split('/');
  return below.length === 0 ? LAYERS.length : LAYERS.indexOf(layer);
};
const areaOf = (path: string) => /^src\/server\/areas\/([^/]+)\//.exec(path)?.[1];
const named = ({ from, to }: Arrow) => `${from} -> ${to}`;

describe('the server', () => {
  const arrows = importsWithin('src/server');

  test('has no file outside of its layers, and no arrow up, not even for a type', () => {
    expect(arrows.length).toBeGreaterThan(1000);
    expect(arrows.flatMap(({ from, to }) => [from, to]).filter((path) => layerOf(path) < 0)).toEqual([]);
    const up = arrows.filter(({ from, to }) => layerOf(to) > layerOf(from));
    console.info(`src/server: ${arrows.length} imports, ${up.length} of them up`);
    expect(up.map(named)).toEqual([]);
  });

  test('has no area that imports another', () => {
    const across = arrows.filter(({ from, to }) => areaOf(from) && areaOf(to) && areaOf(from) !== areaOf(to));
    expect(across.map(named)).toEqual([]);
  });
});

describe.each(PARTS)('%s', (part) => {
  test('has no cycle of folders when it runs', () => {
    const edges = folderEdges(importsWithin(part));
    const cycles = cyclesOf(edges);
    console.info(`${part}: ${edges.size} folders import others, ${cycles.length} cycles`);
    expect(cycles).toEqual([]);
  });
});

test('a cycle of two folders is found, and one that is only of types is not', () => {
  const there = { from: 'a/one.ts', to: 'b/two.ts' };
  const back = { from: 'b/three.ts', to: 'a/four.ts' };
  const cycles = (isType: boolean) =>
    cyclesOf(
      folderEdges([
        { ...there, isType: false },
        { ...back, isType },
      ]),
    );
  expect([cycles(false), cycles(true)]).toEqual([[['a', 'b']], []]);
});
