import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { ROOT } from '../harness/started-server.ts';

/** Notes every module that a process loads, and writes them down when it ends. */
const NOTE = `
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const seen = [];
registerHooks({
  load(url, context, next) {
    seen.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED, seen.join('\\n')));
`;

/** What stands behind every answer of the server: its typed client, and the schemas of the calls. */
const CLIENT = {
  packages: ['commander', 'destr', 'fractional-indexing', 'node-fetch-native', 'ofetch', 'ufo', 'zod'],
  folders: ['cli', 'engine/document', 'src/contract'],
};

/** Nothing but the commands themselves, and two small files of the contract. */
const NOTHING = { packages: ['commander'], folders: ['cli', 'src/contract'] };

describe('a command loads what it needs, and nothing else', () => {
  let api: ApiApp;
  let line: CommandLine;
  let note: string;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.in({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    note = await line.file('note.mjs', NOTE);
    await line.file('codes.csv', 'one\n');
    await line.file('hall.json', '{"id": 1, "title": "Hall"}');
    const { id } = await api.client().rooms.create({ body: { title: 'Hall' } });
    await api.client().endpoints.create({ body: { name: 'Hall', room_id: id } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  /** Packages of others, and folders of the project, of which a command loads anything. */
  const loadedBy = async (args: readonly string[]) => {
    const LOADED = join(line.folder, `loaded-${++count}.txt`);
    const { code } = await line.run(args, {
      environment: { LOADED, NODE_OPTIONS: `--import=${pathToFileURL(note).href}` },
    });
    const modules = (await readFile(LOADED, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
    const root = pathToFileURL(`${ROOT}/`).href;
    const own = modules.filter((url) => url !== pathToFileURL(note).href).map((url) => url.replace(root, ''));
    const packageOf = (path: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1];
    const folderOf = (path: string) => /^(cli|engine\/[^/]+|src\/[^/]+)\//.exec(path)?.[1] ?? path;
    const sorted = (list: readonly string[]) => [...new Set(list)].sort();
    return {
      code,
      packages: sorted(own.flatMap((path) => packageOf(path) ?? [])),
      folders: sorted(own.filter((path) => !packageOf(path)).map(folderOf)),
    };
  };

  it.each([
    [['--version'], 0],
    [['--help'], 0],
    [['rooms', 'import', '--help'], 0],
    [['completion', 'bash'], 0],
    [['rooms', 'lst'], 2],
    [['tokens', 'import', 'codes.csv'], 2],
  ])('%j needs no more than the list of commands', async (args, code) => {
    expect(await loadedBy(args)).toEqual({ code, ...NOTHING });
  });

  it.each([
    [['rooms', 'list', '--json']],
    [['media', 'list', '--csv']],
    [['tokens', 'import', 'codes.csv', '--endpoint', 'hall']],
    [['tokens', 'export', '--endpoint', 'hall']],
  ])('%j needs the client and nothing of the server', async (args) => {
    expect(await loadedBy(args)).toEqual({ code: 0, ...CLIENT });
  });

  it('what works on this machine loads the server, and files need no client', async () => {
    const migrated = await loadedBy(['migrate', '--data', 'own']);
    expect(migrated).toMatchObject({ code: 0, folders: expect.arrayContaining(['src/server']) });
    expect(migrated.packages).toEqual(expect.arrayContaining(['kysely', 'pg']));
    const linted = await loadedBy(['rooms', 'lint', 'hall.json']);
    expect(linted).toEqual({
      code: 0,
      packages: ['commander', 'fractional-indexing', 'zod'],
      folders: ['cli', 'engine/document', 'src/contract'],
    });
  });
});
