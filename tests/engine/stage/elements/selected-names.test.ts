import { expect, test } from 'vitest';
import { selectedNames } from '../../../../engine/stage/elements/parts/selected-names.ts';

const known = new Set(['Basic Wall: Interior, 100 mm [312]', 'Mesh, Screen: A', 'Screen.001', 'TV/Screen', 'Cube']);

test.each([
  ['Cube, TV/Screen', ['Cube', 'TV/Screen']],
  ['Mesh, Screen: A', ['Mesh, Screen: A']],
  ['Cube,Mesh, Screen: A,Screen.001', ['Cube', 'Mesh, Screen: A', 'Screen.001']],
  ['"Mesh, Screen: A", Cube', ['Mesh, Screen: A', 'Cube']],
  ['Cube, "Basic Wall: Interior, 100 mm [312]"', ['Cube', 'Basic Wall: Interior, 100 mm [312]']],
  ['Basic Wall: Interior, 100 mm [312], Unknown', ['Basic Wall: Interior, 100 mm [312]', 'Unknown']],
  ['"15"" screen"', ['15" screen']],
  ['15" screen, Cube', ['15" screen', 'Cube']],
])('names of meshes in %s', (selector, names) => {
  expect(selectedNames(selector, known)).toEqual(names);
});
