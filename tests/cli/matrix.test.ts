import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { type Cell, matrix, NOUNS, VERBS } from './matrix.ts';

/** What is in no installation twice, so that there is nothing to copy. */
const NOT_THERE: readonly Cell[] = ['tokens copy', 'media copy', 'users copy'];

const group = (noun: string) => createProgram().commands.find((command) => command.name() === noun)!;

describe('the table of nouns and verbs', () => {
  it('has every command that there is, and none that there is not', () => {
    const there = NOUNS.flatMap((noun) =>
      VERBS.filter((verb) => group(noun).commands.some((command) => command.name() === verb)).map(
        (verb) => `${noun} ${verb}`,
      ),
    );
    expect(Object.keys(matrix).sort()).toEqual(there.sort());
    const all = NOUNS.flatMap((noun) => VERBS.map((verb): Cell => `${noun} ${verb}`));
    expect(all.filter((cell) => !matrix[cell]).sort()).toEqual([...NOT_THERE].sort());
  });

  // Help needs no server, and no database.
  it('says of every command how it is used, with examples', async () => {
    const line = await CommandLine.here({});
    await Promise.all(
      Object.keys(matrix).map(async (name) => {
        const help = await line.done(...name.split(' '), '--help');
        expect(help).toContain(`Usage: enfilade ${name} `);
        expect(help).toContain(`$ enfilade ${name}`);
      }),
    );
    await line.close();
  });
});

/** Milliseconds that a test of many commands may take on a slow machine. */
const LONG = 600_000;

describe.each(databases)('every noun and verb on %s', { timeout: LONG }, (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    await client.templates.create({ body: { name: '=White' } });
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    await client.rooms.create({ body: { title: '=Sum' } });
    const museum = await client.endpoints.create({ body: { name: 'Museum', room_id: id } });
    await client.endpoints.create({ body: { name: '=Hall', room_id: id, parent_endpoint_id: museum.id } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it.each(Object.entries(matrix))('%s', async (_name, run) => {
    await run({ line, api, isFirst: kind === databases[0] });
  });
});
