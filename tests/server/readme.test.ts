import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('the README', () => {
  test('says of every dependency what it is for', () => {
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  test('names no script that does not exist', () => {
    const named = [...readme.matchAll(/`npm (?:run )?([a-z]+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !['ci', 'link'].includes(name) && !(name in scripts))).toEqual([]);
  });

  test('its map names every folder of engine and src', () => {
    const folders = ['engine', 'src'].flatMap((top) => readdirSync(top).map((name) => `${top}/${name}`));
    expect(folders.filter((folder) => !readme.includes(`\`${folder}\``))).toEqual([]);
  });
});
