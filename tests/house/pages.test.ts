import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const PAGES = globSync(['*.md', '{cli,src,engine,fixtures}/**/*.md']);

describe('the README', () => {
  test('is read in one go', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(200);
  });

  test('says of every dependency what it is for', () => {
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  test('its map names every folder of engine and src', () => {
    const folders = ['engine', 'src'].flatMap((top) => readdirSync(top).map((name) => `${top}/${name}`));
    expect(folders.filter((folder) => !readme.includes(`\`${folder}\``))).toEqual([]);
  });
});

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  test('names no script, file or folder that does not exist', () => {
    const named = [...text.matchAll(/`npm (?:run )?([a-z:]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !['ci', 'link'].includes(name) && !(name in scripts))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => join(dirname(page), path!));
    const paths = [...text.matchAll(/`((?:engine|src|cli|tests|fixtures)\/[\w./-]+)`/g)].map(([, path]) => path!);
    const places = [...links, ...paths].filter((path) => !/^https?:/.test(path));
    expect(places.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test('every check that a test names stands in SECURITY.md', () => {
  const listed = new Set(
    [...readFileSync('SECURITY.md', 'utf8').matchAll(/^- \*\*(\d+)\*\*/gm)].map(([, number]) => number),
  );
  const tests = globSync('tests/**/*.{test,faults}.ts').map((path) => readFileSync(path, 'utf8'));
  const named = tests.flatMap((text) => [...text.matchAll(/security (\d+)/g)].map(([, number]) => number!));
  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((number) => !listed.has(number))).toEqual([]);
});
