import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApiApp } from '../harness/api-app.ts';
import type { CommandLine } from '../harness/command-line.ts';

export const NOUNS = ['rooms', 'templates', 'endpoints', 'tokens', 'media', 'users'] as const;
export const VERBS = ['list', 'export', 'import', 'copy', 'remove'] as const;
export type Cell = `${(typeof NOUNS)[number]} ${(typeof VERBS)[number]}`;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

/** Where a command runs. */
interface Place {
  line: CommandLine;
  api: ApiApp;
  /** Whether what ends before anything is sent to the server is looked at as well: on one database only, since none plays a part. */
  isFirst: boolean;
}

/**
 * Forms in which the same things are given to an import: it makes the same request of all of them, so one is enough on the other
 * databases.
 */
const forms = <T>({ isFirst }: Place, all: readonly T[]): readonly T[] => (isFirst ? all : all.slice(0, 1));

const read = ({ line }: Place, name: string) => readFile(join(line.folder, name), 'utf8');
const parsed = async (place: Place, name: string) => JSON.parse(await read(place, name));

/** Runs a command that reads standard input and must succeed. */
async function fed({ line }: Place, input: string, ...args: string[]): Promise<string> {
  const { code, out, error } = await line.run(args, { input });
  expect([code, error]).toEqual([0, '']);
  return out;
}

/** What each command does when all goes well: as JSON and CSV, with files, folders, patterns, standard input and output. */
export const matrix: Partial<Record<Cell, (place: Place) => Promise<void>>> = {
  'rooms list': async ({ line }) => {
    const [json, csv, found] = await Promise.all([
      line.json('rooms', 'list'),
      line.done('rooms', 'list', '--csv'),
      line.done('rooms', 'list', '--search', 'hall'),
    ]);
    expect(json.map(({ name }: { name: string }) => name)).toEqual(['=Sum', 'Hall']);
    expect(csv).toMatch(/^"id","name".*\r\n"\d+","'=Sum",/);
    expect(found).toMatch(/^id +name[^\n]*\n +\d+ +Hall [^\n]*\n$/);
  },
  'rooms export': async (place) => {
    const { line } = place;
    const [one, all] = await Promise.all([
      line.done('rooms', 'export', 'Hall'),
      line.done('rooms', 'export', '--all'),
      line.done('rooms', 'export', 'Hall', '--out', 'hall.json'),
      line.done('rooms', 'export', '--all', '--out', 'rooms'),
      line.done('rooms', 'export', 'Hall', '--out', 'alone/'),
      line.done('rooms', 'export', '--all', '--out', 'rooms.json'),
      line.done('rooms', 'export', '--all', '--csv', '--out', 'rooms.csv'),
    ]);
    const hall = JSON.parse(one);
    expect(hall).toMatchObject({ name: 'Hall', elements: [] });
    expect(await parsed(place, 'hall.json')).toEqual(hall);
    expect(await readdir(join(line.folder, 'rooms'))).toEqual([`hall-${hall.id}.json`, expect.stringMatching(/^sum-/)]);
    expect(await parsed(place, `alone/hall-${hall.id}.json`)).toEqual(hall);
    const list = JSON.parse(all);
    expect(list).toEqual([expect.objectContaining({ name: '=Sum' }), hall]);
    expect(await parsed(place, 'rooms.json')).toEqual(list);
    expect(await read(place, 'rooms.csv')).toContain(`"'=Sum"`);
  },
  'rooms import': async (place) => {
    const { line } = place;
    for (const files of forms(place, [['rooms.json'], ['rooms/*.json'], ['hall.json', 'rooms/sum-*.json']]))
      expect(await line.done('rooms', 'import', ...files), files[0]).toBe('Nothing changed (2 rooms checked).\n');
    expect(await line.done('rooms', 'import', 'rooms.csv')).toBe('Nothing changed (2 rooms checked).\n');
    for (const file of forms(place, ['rooms.json', 'rooms.csv']))
      expect(await fed(place, await read(place, file), 'rooms', 'import', '-')).toBe(
        'Nothing changed (2 rooms checked).\n',
      );
    expect((await line.json('rooms', 'import', 'hall.json')).counts).toMatchObject({ unchanged: 1 });
  },
  'rooms copy': async ({ line }) => {
    expect(await line.json('rooms', 'copy', 'Hall', '--title', 'Winter')).toMatchObject({ name: 'Winter' });
    expect(await line.done('rooms', 'copy', 'Winter')).toMatch(/^Room \d+: Winter \(copy\)\n$/);
  },
  'rooms remove': async ({ line }) => {
    expect(await line.done('rooms', 'remove', 'Winter', 'Winter (copy)')).toMatch(/^remove 2\n/);
  },

  'templates list': async ({ line }) => {
    const [table, [template]] = await Promise.all([
      line.done('templates', 'list'),
      line.json('templates', 'list'),
      line.done('templates', 'list', '--csv', '--out', 'templates-list.csv'),
    ]);
    expect(table).toMatch(/ =White /);
    expect(template).toMatchObject({ name: '=White', config: { animate: false } });
    expect(await line.done('templates', 'import', 'templates-list.csv')).toBe(
      'Nothing changed (1 template checked).\n',
    );
  },
  'templates export': async (place) => {
    const { line } = place;
    const [white] = await Promise.all([
      line.done('templates', 'export', '=White'),
      line.done('templates', 'export', '--all', '--out', 'templates.json'),
      line.done('templates', 'export', '--all', '--out', 'templates/'),
      line.done('templates', 'export', '--all', '--csv', '--out', 'templates.csv'),
    ]);
    const one = JSON.parse(white);
    expect(one).toMatchObject({ name: '=White', width: 2000 });
    expect(await parsed(place, 'templates.json')).toEqual([one]);
    expect(await parsed(place, `templates/white-${one.id}.json`)).toEqual(one);
    expect(await read(place, 'templates.csv')).toMatch(/^"name",.*\r\n"'=White",/);
    if (!place.isFirst) return;
    const refused = await line.run(['templates', 'export', '--all', '--csv', '--out', 'templates/']);
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining('--csv writes a single table.') });
  },
  'templates import': async (place) => {
    for (const file of ['templates.csv', ...forms(place, ['templates.json', 'templates/*.json'])])
      expect(await place.line.done('templates', 'import', file), file).toBe('Nothing changed (1 template checked).\n');
    expect(await fed(place, await read(place, 'templates.csv'), 'templates', 'import', '-')).toContain(
      'Nothing changed (1 template checked).',
    );
    const text = JSON.stringify({ name: 'Red' });
    expect(await fed(place, text, 'templates', 'import', '-')).toMatch(/^create 1\n {2}create +template +Red\n/);
  },
  'templates copy': async ({ line }) => {
    expect(await line.done('templates', 'copy', 'Red')).toMatch(/^Template \d+: Red \(copy\)\n$/);
    expect(await line.json('templates', 'copy', 'Red', '--name', 'Blue')).toMatchObject({ name: 'Blue' });
  },
  'templates remove': async ({ line }) => {
    expect(await line.done('templates', 'remove', 'Red', 'Red (copy)', 'Blue')).toMatch(/^remove 3\n/);
  },

  'endpoints list': async ({ line }) => {
    const [table, list] = await Promise.all([
      line.done('endpoints', 'list'),
      line.json('endpoints', 'list'),
      line.done('endpoints', 'list', '--csv', '--out', 'endpoints-list.csv'),
    ]);
    expect(table).toMatch(/ museum +Museum +Hall /);
    expect(list.map(({ path }: { path: string }) => path)).toEqual(['museum', 'museum/hall']);
    const sorted = await line.json('endpoints', 'list', '--sort', '-path');
    expect(sorted.map(({ path }: { path: string }) => path)).toEqual(['museum/hall', 'museum']);
    expect(await line.done('endpoints', 'import', 'endpoints-list.csv')).toBe(
      'Nothing changed (2 structures checked).\n',
    );
  },
  'endpoints export': async (place) => {
    const { line } = place;
    const [all, one] = await Promise.all([
      line.done('endpoints', 'export'),
      line.done('endpoints', 'export', 'museum/hall'),
      line.done('endpoints', 'export', '--out', 'endpoints/'),
      line.done('endpoints', 'export', '--out', 'endpoints.json'),
      line.done('endpoints', 'export', '--csv', '--out', 'endpoints.csv'),
    ]);
    const list = JSON.parse(all);
    expect(list).toMatchObject([{ path: 'museum', room: 'Hall' }, { path: 'museum/hall' }]);
    expect(JSON.parse(one)).toEqual(list[1]);
    expect(await parsed(place, 'endpoints/museum/hall.json')).toEqual(list[1]);
    expect(await read(place, 'endpoints.csv')).toContain(`"museum/hall","'=Hall","Hall"`);
  },
  'endpoints import': async (place) => {
    for (const file of ['endpoints.csv', ...forms(place, ['endpoints.json', 'endpoints/**/*.json'])])
      expect(await place.line.done('endpoints', 'import', file), file).toBe(
        'Nothing changed (2 structures checked).\n',
      );
    for (const file of forms(place, ['endpoints.json', 'endpoints.csv']))
      expect(await fed(place, await read(place, file), 'endpoints', 'import', '-')).toContain(
        'Nothing changed (2 structures checked).',
      );
    const empty = await place.line.run(['endpoints', 'import', '-']);
    expect(empty).toMatchObject({ code: 1, error: expect.stringContaining("standard input isn't valid JSON") });
  },
  'endpoints copy': async ({ line, isFirst }) => {
    expect(await line.done('endpoints', 'copy', 'museum/hall', 'museum/hall-2')).toMatch(
      /^Structure \d+: museum\/hall-2\n$/,
    );
    const copy = await line.json('endpoints', 'copy', 'museum', '/winter/', '--children', '--name', 'Winter');
    expect(copy).toMatchObject({ path: 'winter', name: 'Winter' });
    const list = await line.json('endpoints', 'list');
    const known = ['museum', 'museum/hall', 'museum/hall-2', 'winter', 'winter/hall', 'winter/hall-2'];
    expect(list.map(({ path }: { path: string }) => path)).toEqual(known);
    const usage = [
      [2, 'a/b/c'],
      [2, '/'],
    ] as const;
    const wrong = [
      [1, 'museum/hall'],
      [1, 'nowhere/hall'],
      [1, 'admin'],
    ] as const;
    await Promise.all(
      [...wrong, ...(isFirst ? usage : [])].map(async ([code, path]) => {
        const refused = await line.run(['endpoints', 'copy', 'museum/hall', path, '--json']);
        expect(refused.code, path).toBe(code);
        expect(JSON.parse(refused.error).error.suggestion).toMatch(/\.$/);
      }),
    );
  },
  'endpoints remove': async ({ line }) => {
    expect(await line.done('endpoints', 'remove', 'winter', 'museum/hall-2')).toMatch(/^remove 4\n/);
  },

  'tokens import': async (place) => {
    const { line } = place;
    await line.file('codes.csv', 'one\ntwo\n=three\n');
    const [report] = await line.json('tokens', 'import', 'codes.csv', '--endpoint', 'museum');
    expect(report).toMatchObject({ accepted: 3 });
    expect(await fed(place, 'four\n', 'tokens', 'import', '-', '--endpoint', 'museum')).toMatch(/\b1\b/);
  },
  'tokens list': async ({ line }) => {
    const [list, csv] = await Promise.all([
      line.json('tokens', 'list', '--endpoint', 'museum'),
      line.done('tokens', 'list', '--endpoint', 'museum', '--csv'),
    ]);
    expect(list.map(({ token }: { token: string }) => token).sort()).toEqual(['=three', 'four', 'one', 'two']);
    expect(csv).toContain(`"'=three"`);
  },
  'tokens export': async (place) => {
    const { line } = place;
    const [printed] = await Promise.all([
      line.done('tokens', 'export', '--endpoint', 'museum'),
      line.done('tokens', 'export', '--endpoint', 'museum', '--out', 'exported.csv'),
    ]);
    const text = await read(place, 'exported.csv');
    expect(text.trim().split(/\r?\n/)).toHaveLength(4);
    expect(printed).toBe(text);
    const times = { valid_from: null, valid_till: '2031-01-01T00:00:00.000Z', valid_duration: 45, first_used_at: null };
    await line.file(
      'times.json',
      JSON.stringify([
        { token: 'one', ...times },
        { token: 'five', valid_duration: 30 },
      ]),
    );
    const [report] = await line.json('tokens', 'import', 'times.json', '--endpoint', 'museum');
    expect(report).toMatchObject({ accepted: 1, duplicates: 1, updated: 1 });
    const [json] = await Promise.all([
      line.done('tokens', 'export', '--endpoint', 'museum', '--json'),
      line.done('tokens', 'export', '--endpoint', 'museum', '--out', 'codes.json'),
      line.done('tokens', 'export', '--endpoint', 'museum', '--out', 'codes/'),
    ]);
    expect(JSON.parse(json)).toHaveLength(5);
    expect(JSON.parse(json)[0]).toEqual({ token: 'one', ...times });
    expect((await read(place, 'codes/museum.csv')).length).toBeGreaterThan(0);
    expect(await read(place, 'codes.json')).toBe(json);
    // The same elsewhere is the same, used codes and times included.
    await line.done('tokens', 'import', 'codes.json', '--endpoint', 'museum/hall');
    expect(await line.done('tokens', 'export', '--endpoint', 'museum/hall', '--json')).toBe(json);
    expect(await line.done('tokens', 'import', 'codes.json', '--endpoint', 'museum/hall')).toContain(
      'nothing changed (5 tokens checked)',
    );
    await line.done('tokens', 'remove', 'one', 'two', '=three', 'four', 'five', '--endpoint', 'museum/hall');
    expect(await line.done('tokens', 'export', '--endpoint', 'museum/hall', '--json')).toBe('[]\n');
    await line.done('tokens', 'remove', 'five', '--endpoint', 'museum');
    const wrong = await line.run(['tokens', 'import', 'rooms.json', '--endpoint', 'museum']);
    expect(wrong).toMatchObject({ code: 1, error: expect.stringMatching(/rooms\.json, line 2, token: /) });
  },
  'tokens remove': async ({ line }) => {
    await line.done('tokens', 'remove', 'one', 'two', '--endpoint', 'museum');
    expect(await line.json('tokens', 'list', '--endpoint', 'museum')).toHaveLength(2);
  },

  'media import': async ({ line, api, isFirst }) => {
    await mkdir(join(line.folder, 'pictures'));
    await line.file('pictures/a.png', PIXEL);
    await line.file('pictures/b.png', PIXEL);
    expect(await line.done('media', 'import', 'pictures/*.png')).toMatch(
      /^\d+ {2}image {2}pictures\/a\.png\n\d+ .*\n$/,
    );
    if (isFirst) {
      const page = '<h1>Hi</h1>';
      expect((await line.run(['media', 'import', '-'], { input: page })).code).toBe(2);
      expect((await line.run(['media', 'import', 'pictures/*.png', '--name', 'x.png'])).code).toBe(2);
    }
    await line.file('other.bin', PIXEL);
    const [made] = await line.json('media', 'import', 'other.bin', '--name', 'c.png');
    expect(made).toMatchObject({ name: 'c.png', type: 'image' });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>';
    const piped = await line.run(['media', 'import', '-', '--name', 'd.svg', '--json'], { input: svg });
    const answer = piped.code === 0 ? JSON.parse(piped.out)[0].name : JSON.parse(piped.error).error.code;
    expect(['d.svg', 'wrong_type', 'bad_file']).toContain(answer);
    expect((await api.client().media.list()).data.length).toBeGreaterThanOrEqual(3);
  },
  'media list': async ({ line }) => {
    const [list, csv] = await Promise.all([
      line.json('media', 'list', '--search', 'png'),
      line.done('media', 'list', '--type', 'image', '--csv'),
    ]);
    expect(list.map(({ name }: { name: string }) => name).sort()).toEqual(['a.png', 'b.png', 'c.png']);
    expect(csv).toContain('"a.png","image"');
  },
  'media export': async (place) => {
    const { line } = place;
    const [first, second] = await line.json('media', 'list', '--search', 'png');
    const [unknown] = await Promise.all([
      line.run(['media', 'export', '999999']),
      line.done('media', 'export', String(first.id), '--out', 'one.png'),
      line.done('media', 'export', String(first.id), String(second.id), '--out', 'two/'),
      line.done('media', 'export', '--all', '--search', 'png', '--out', 'all/'),
    ]);
    expect(await readFile(join(line.folder, 'one.png'))).toEqual(PIXEL);
    expect(await readdir(join(line.folder, 'two'))).toEqual([second.name, first.name].sort());
    expect(await readdir(join(line.folder, 'all'))).toEqual(['a.png', 'b.png', 'c.png']);
    expect(unknown).toMatchObject({ code: 1 });
    await line.done('media', 'export', '--all', '--search', 'png', '--originals', '--out', 'originals/');
    expect(await readdir(join(line.folder, 'originals'))).toEqual(['a.png', 'b.png', 'c.png']);
    expect(await readFile(join(line.folder, 'originals/a.png'))).toEqual(PIXEL);
    if (!place.isFirst) return;
    const usage = [['7', '8'], ['--all'], [], ['x'], ['--all', '7', '--out', 'all/']];
    const runs = await Promise.all(usage.map((args) => line.run(['media', 'export', ...args])));
    expect(runs.map(({ code }) => code)).toEqual(usage.map(() => 2));
  },
  'media remove': async ({ line }) => {
    const ids = (await line.json('media', 'list', '--search', 'png')).map(({ id }: { id: number }) => String(id));
    expect(await line.done('media', 'remove', ...ids)).toBe('Removed 3.\n');
  },

  'users list': async ({ line, api }) => {
    const [[admin], csv] = await Promise.all([line.json('users', 'list'), line.done('users', 'list', '--csv')]);
    expect(admin).toMatchObject({ email: api.one.admin.email, is_active: true, policies: { rooms: { create: true } } });
    expect(csv).toContain(`"${api.one.admin.email}"`);
  },
  'users export': async (place) => {
    const { line, api } = place;
    const { email } = api.one.admin;
    const [all, one] = await Promise.all([
      line.done('users', 'export'),
      line.done('users', 'export', email),
      line.done('users', 'export', '--out', 'users.json'),
      line.done('users', 'export', '--csv', '--out', 'users.csv'),
      line.done('users', 'export', '--out', 'users/'),
    ]);
    const list = JSON.parse(all);
    expect(list).toEqual([
      {
        email,
        name: expect.any(String),
        is_active: true,
        policies: expect.objectContaining({ rooms: expect.anything() }),
      },
    ]);
    expect(JSON.parse(one)).toEqual(list[0]);
    expect(await parsed(place, `users/${email}.json`)).toEqual(list[0]);
    expect(await read(place, 'users.csv')).toContain('"view_any create update delete"');
    expect(JSON.stringify(list) + (await read(place, 'users.csv'))).not.toMatch(/argon2|hash|token"/);
  },
  'users import': async (place) => {
    const { line, api } = place;
    for (const file of ['users.csv', ...forms(place, ['users.json', 'users/*.json'])])
      expect(await line.done('users', 'import', file), file).toBe('Nothing changed (1 user checked).\n');
    expect(await fed(place, await read(place, 'users.csv'), 'users', 'import', '-')).toContain(
      'Nothing changed (1 user checked).',
    );
    const names = [`kim-${api.kind}@example.com`, `lee-${api.kind}@example.com`];
    await line.file('new.csv', `email;name;rooms\n${names[0]};'=Kim;view_any update\n`);
    const dry = await line.json('users', 'import', 'new.csv', '--dry-run');
    expect(dry).toMatchObject({ job: null, counts: { create: 1 } });
    const made = await line.json('users', 'import', 'new.csv');
    const text = JSON.stringify({ email: names[1], name: 'Lee', policies: { rooms: { view_any: true } } });
    expect(await fed(place, text, 'users', 'import', '-')).toMatch(/^create 1\n {2}create +user +lee-/);
    const [kim] = (await api.client().users.list({ query: { search: names[0] } })).data;
    expect(kim).toMatchObject({ name: '=Kim', is_invited: true, policies: { rooms: { update: true, create: false } } });
    expect(await line.done('users', 'export', '--csv')).toContain(`"'=Kim"`);
    await line.file('bad.csv', `email,rooms\n${names[0]},everything\n`);
    const bad = await line.run(['users', 'import', 'bad.csv', '--json']);
    expect([bad.code, JSON.parse(bad.error).error.problems]).toEqual([
      1,
      [
        expect.objectContaining({
          line: 2,
          column: 'rooms',
          reason: expect.stringContaining('invalid right "everything"'),
        }),
      ],
    ]);
    const taken = await line.run(['users', 'import', 'new.csv', '--mode', 'create']);
    expect(taken).toMatchObject({
      code: 1,
      error: expect.stringMatching(/new\.csv, line 2, email: This already exists/),
    });
    expect(await line.done('undo', String(made.job))).toBe('Undone: 1.\n');
  },
  'users remove': async ({ line, api }) => {
    const email = `lee-${api.kind}@example.com`;
    expect(await line.done('users', 'remove', email)).toMatch(/^remove 1\n/);
    expect(await line.run(['users', 'remove', email])).toMatchObject({ code: 1 });
    const own = await line.run(['users', 'remove', api.one.admin.email]);
    expect(own).toMatchObject({ code: 1, error: expect.stringContaining("You can't remove your own account") });
  },
};
