import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('the log of a room from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('tells what changed it in few words, or whole; from any place on', async () => {
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    const sign = await client.rooms.addElement({ params: { id }, body: { element: 'text', name: 'Sign' } });
    await client.elements.update({ params: { id: sign.id }, body: { name: 'Board', config: { color: '#ff0000' } } });
    await client.rooms.update({ params: { id }, body: { title: 'Foyer' } });
    const table = await line.done('rooms', 'log', 'Foyer');
    expect(table).toMatch(/^seq +at +user +origin +commands/);
    expect(table).toContain(`element.add ${sign.id} (text)`);
    expect(table).toMatch(new RegExp(`element\\.update ${sign.id} name, config\\.\\w+`));
    const entries = await line.json('rooms', 'log', String(id), '--after', '1');
    expect(entries.map(({ seq }: { seq: number }) => seq)).toEqual([2, 3]);
    expect(entries[1]).toMatchObject({ commands: [{ type: 'room.update' }], inverses: [{ type: 'room.update' }] });
    expect((await line.run(['rooms', 'log', 'Foyer', '--after', 'x'])).error).toContain(
      'Invalid sequence number: "x".',
    );
  });
});
