import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/contract/client.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('proposals from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    client = api.client();
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('creates, shows, lists, merges in part, and discards', async () => {
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const body = { element: 'text', name: 'Label' } as const;
    const label = (await client.rooms.addElement({ params: { id: room }, body })).id;
    const made = await line.json('proposals', 'create', 'Hall', '--name', 'Autumn', '--note', 'Warmer');
    expect(made).toMatchObject({ name: 'Autumn', note: 'Warmer', state: 'open', room_id: room });
    const own = made.element_ids[label];
    await client.elements.update({ params: { id: own }, body: { name: 'Leaf', position_x: 5 } });
    const id = String(made.id);
    expect(await line.done('proposals', 'show', id)).toBe(
      `Proposal ${id}: Autumn, for Hall, open\n  “Leaf” moved from 0, 0, 0 to 5, 0, 0 [${label} position]\n  “Label” renamed to “Leaf” [${label} name]\n`,
    );
    expect(await line.json('proposals', 'list', '--state', 'open')).toMatchObject([{ id: made.id, name: 'Autumn' }]);
    const wrong = await line.run(['proposals', 'merge', id, '--without', 'no such key', '--yes']);
    expect(wrong).toMatchObject({ code: 1, error: expect.stringContaining('The proposal has no such change') });
    const part = ['proposals', 'merge', id, '--without', `${label} position`];
    expect(await line.done(...part, '--dry-run')).not.toContain('moved');
    expect(await line.done(...part, '--yes')).toBe(`Proposal ${id} merged into Hall: 1 change.\n`);
    expect(await client.elements.read({ params: { id: label } })).toMatchObject({ name: 'Leaf', position_x: 0 });

    const other = await line.json('proposals', 'create', 'Hall', '--name', 'Winter');
    expect(await line.done('proposals', 'show', String(other.id))).toContain('no changes');
    expect(await line.done('proposals', 'discard', String(other.id), '--dry-run')).toContain('would discard');
    await line.done('proposals', 'discard', String(other.id), '--yes');
    expect(await line.json('proposals', 'list', '--state', 'discarded')).toMatchObject([{ name: 'Winter' }]);
  });
});
