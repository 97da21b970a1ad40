import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

const deskOf = (name: string) => ({ id: 1, element: 'group', children: [{ id: 2, element: 'text', name }] });

describe('blocks from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  let block: number;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    block = (await client.blocks.create({ body: { name: 'Desk', element: deskOf('Leg') } })).id;
    for (const title of ['Hall', 'Annex']) {
      const { id } = await client.rooms.create({ body: { title } });
      const config = { block_id: block, block_version: 1, block_elements: [-2] };
      const element = {
        ...deskOf('Leg'),
        id: -1,
        name: `${title} desk`,
        config,
        children: [{ id: -2, element: 'text', name: 'Leg' }],
      };
      await client.rooms.commit({
        params: { id },
        body: { client: 'test', mutation: 1, commands: [{ type: 'element.add', parent: null, element }] },
      });
    }
    await client.blocks.update({ params: { id: block }, body: { element: deskOf('Drawer') } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const places = () => line.json('blocks', 'places', 'Desk');

  it('are listed, shown, renamed and removed', async () => {
    expect(await line.json('blocks', 'list')).toMatchObject([{ name: 'Desk', version: 2, places: 2, outdated: 2 }]);
    const shown = JSON.parse(await line.done('blocks', 'show', 'Desk', '--at', '1'));
    expect(shown.element.children).toMatchObject([{ name: 'Leg' }]);
    expect(await line.done('blocks', 'rename', 'Desk', 'Table')).toBe(`Block ${block}: Table\n`);
    expect(await line.done('blocks', 'rename', String(block), 'Desk')).toBe(`Block ${block}: Desk\n`);
    const { id } = await api.client().blocks.create({ body: { name: 'Lamp', element: deskOf('Bulb') } });
    expect(await line.done('blocks', 'remove', 'Lamp', '--yes')).toBe(`removed ${id} Lamp\n`);
    const missing = await line.run(['blocks', 'show', 'Lamp']);
    expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('No block named "Lamp".')]);
  });

  it('update their places, skip changed ones with exit code 1, and undo all of it', async () => {
    const [, annex] = (await places()) as { room_id: number; element_id: number }[];
    const { elements } = await api.client().rooms.read({ params: { id: annex!.room_id } });
    const leg = elements[0]!.children[0]!.id;
    await api.client().elements.update({ params: { id: leg }, body: { name: 'My own' } });
    const tried = await line.done('blocks', 'update', 'Desk', '--dry-run');
    expect(tried).toBe('would update 1 of 2 places to version 2; 1 changed: skipped\n');
    const run = await line.run(['blocks', 'update', 'Desk', '--yes']);
    expect([run.code, run.error]).toEqual([1, expect.stringContaining('“Annex desk” was changed in Annex.')]);
    expect(run.out).toMatch(/^Updated in 1 of 2 rooms\. Run `enfilade blocks update \d+ --undo \d+` to undo this\.\n$/);
    const job = /--undo (\d+)/.exec(run.out)![1]!;
    expect(await places()).toMatchObject([
      { name: 'Hall desk', version: 2, is_changed: false },
      { name: 'Annex desk', version: 1, is_changed: true },
    ]);
    expect(await line.done('blocks', 'places', 'Desk', '--csv')).toContain('to update, changed');
    expect(await line.done('blocks', 'update', 'Desk', '--overwrite', '--yes')).toContain('Updated in 1 of 2 rooms.');
    expect(await line.done('blocks', 'update', 'Desk', '--undo', job, '--yes')).toBe('Undone in 1 of 1 rooms.\n');
    expect((await places()).map(({ version }: { version: number }) => version)).toEqual([1, 2]);
  });
});
