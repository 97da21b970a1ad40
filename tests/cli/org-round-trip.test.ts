import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { furnishWhole, UNICODE } from '../harness/furnish-whole.ts';
import { unzip } from '../harness/zip.ts';

describe.each(databases)('a whole organization, from one server to another (%s)', (kind) => {
  let staging: ApiApp;
  let production: ApiApp;
  let from: CommandLine;
  let to: CommandLine;
  let furnished: Awaited<ReturnType<typeof furnishWhole>>;
  let archive: string;
  /** Imported and compared kinds: the production server has another administrator. */
  const ALL = ['--tokens'];

  beforeAll(async () => {
    staging = await ApiApp.start(kind);
    production = await ApiApp.start(kind);
    from = await CommandLine.here({ ENFILADE_URL: staging.origin, ENFILADE_KEY: staging.one.admin.token });
    to = await CommandLine.here({ ENFILADE_URL: production.origin, ENFILADE_KEY: production.one.admin.token });
    furnished = await furnishWhole(staging);
    // The administrator works on both servers.
    const { email, name } = await staging.client().users.active();
    const { id } = production.one.admin;
    await production.services.db.updateTable('users').set({ email, name }).where('id', '=', id).execute();
    archive = join(from.folder, 'museum.zip');
  });
  afterAll(async () => {
    await from.close();
    await to.close();
    await staging.close();
    await production.close();
  });

  const diff = async (...args: string[]) => {
    const { code, out } = await to.run(['org', 'diff', archive, ...ALL, '--json', ...args]);
    return { code, ...(JSON.parse(out) as { equal: boolean; differences: { text: string; details: string[] }[] }) };
  };
  const texts = async (...args: string[]) => (await diff(...args)).differences.map(({ text }) => text);
  const second = async () => {
    const client = production.client(production.two.admin);
    const [rooms, media] = [await client.rooms.list(), await client.media.list()];
    return [rooms.meta.total, media.total, (await client.endpoints.list()).length];
  };

  it('exports the same bytes twice, apart from the date, and a folder with the same files', async () => {
    const began = Date.now();
    await from.done('org', 'export', '--out', 'museum.zip', '--tokens');
    console.info(`export (${kind}): ${Date.now() - began} ms, ${(await stat(archive)).size} bytes`);
    await from.done('org', 'export', '--out', 'again.zip', '--tokens');
    await from.done('org', 'export', '--out', 'folder', '--tokens');
    const dateless = (text: string) => text.replace(/"exported_at": "[^"]+"/, '');
    const contents = async (name: string) =>
      Object.fromEntries(
        [...(await unzip(await readFile(join(from.folder, name))))].map(([path, bytes]) => [
          path,
          path === 'manifest.json' ? dateless(bytes.toString()) : bytes.toString('base64'),
        ]),
      );
    const [one, two] = [await contents('museum.zip'), await contents('again.zip')];
    expect(Object.keys(one).length).toBeGreaterThan(50);
    expect(two).toEqual(one);
    expect(await from.done('org', 'diff', 'museum.zip', 'folder', '--tokens')).toMatch(/^No differences \(\d+ entries/);
    // Another export replaces the folder.
    await from.done('org', 'export', '--out', 'folder', '--tokens');
  });

  it('contains no secrets and no ids', async () => {
    const files = await unzip(await readFile(archive));
    const text = [...files]
      .filter(([path]) => path.endsWith('.json'))
      .map(([, bytes]) => bytes.toString())
      .join('\n');
    for (const word of [furnished.webhook.secret, 'password_hash', staging.one.admin.token, 'realtime_api_key'])
      expect(text).not.toContain(word);
    expect(text).not.toMatch(/"(?:file|template|room|folder|endpoint|parent_endpoint)_id": \d/);
    for (const word of [UNICODE, 'Wall é', 'Desk é', 'KNOWN-1', 'Nachtwacht', 'Het museum'])
      expect(text).toContain(word);
  });

  it('a dry run lists the changes, and writes nothing', async () => {
    const before = await production.dump();
    const out = await to.done('org', 'import', archive, ...ALL, '--dry-run');
    expect(out).toMatch(/^Would create \d+, update \d+, remove 0/);
    for (const line of [
      'create  room          Museum/Hall',
      `create  room          Museum/${UNICODE}/Hall`,
      'create  structure     museum/east',
    ])
      expect(out).toContain(line);
    expect(await production.dump()).toBe(before);
  });

  it('arrives whole: a comparison finds no difference, and another import has nothing to do', async () => {
    const began = Date.now();
    const run = await to.run(['org', 'import', archive, ...ALL, '--undo-file', 'undo.ndjson']);
    console.info(`import (${kind}): ${Date.now() - began} ms`);
    expect(run).toMatchObject({ code: 0 });
    expect(await texts()).toEqual([]);
    expect(await to.done('org', 'import', archive, ...ALL)).toMatch(/^No changes \(\d+ entries checked\)/);
    expect(await second()).toEqual([0, 0, 0]);
  });

  it('links lead to the structures and view points of the other server, and places to its blocks', async () => {
    const client = production.client();
    const { data } = await client.rooms.list({ query: { search: 'Hall', per_page: 100 } });
    expect(data.filter(({ title }) => title === 'Hall')).toHaveLength(2);
    const structures = await client.endpoints.list();
    const museum = structures.find(({ slug }) => slug === 'museum')!;
    const [east] = museum.children;
    const [hall, other] = await Promise.all(
      [museum, east!].map(({ room_id }) => client.rooms.read({ params: { id: room_id! } })),
    );
    const button = hall!.elements.find(({ name }) => name === 'Go')!;
    const window = other!.elements.find(({ name }) => name === 'Window')!;
    expect(button.config).toMatchObject({
      navigation: { type_config: { endpoint: east!.id, arrival: { view_point_id: window.id } } },
    });
    const timed = hall!.elements.find(({ name }) => name === 'Timed')!;
    expect(timed.visible_at).toEqual([hall!.elements.find(({ name }) => name === 'Door')!.id]);
    const [block] = (await client.blocks.list()).data;
    const { data: places } = await client.blocks.places({ params: { id: block!.id } });
    expect(places).toMatchObject([{ is_changed: true, version: 1 }]);
    expect(museum.translations).toMatchObject({ nl: { name: { text: 'Het museum' } } });
  });

  it('reports a change on each side', async () => {
    const client = production.client();
    const { data } = await client.rooms.list({ query: { search: UNICODE } });
    await client.rooms.addElement({ params: { id: data[0]!.id }, body: { element: 'text', name: 'Extra' } });
    const kim = (await client.users.list({ query: { per_page: 100 } })).data.find(
      ({ email }) => email === 'kim@example.com',
    )!;
    expect(kim.limits).toMatchObject({ folder_ids: [expect.any(Number)], endpoint_ids: [expect.any(Number)] });
    await client.users.update({ params: { id: kim.id }, body: { name: 'Kimberly' } });
    const { differences, code } = await diff();
    expect(code).toBe(1);
    expect(differences).toMatchObject([
      { text: `The room "${UNICODE}" differs: elements.`, details: [expect.stringMatching(/Extra/)] },
      { text: 'The user "kim@example.com" differs: name.' },
    ]);
  });

  it('updates what differs, moves rooms, orders structures, and keeps the ids of elements', async () => {
    const client = staging.client();
    const { hall, other, top, image } = furnished;
    const [folder] = (await client.folders.list()).filter(({ name }) => name === 'Museum');
    await client.rooms.move({ params: { id: furnished.named.id }, body: { folder_id: folder!.id } });
    await client.rooms.update({ params: { id: hall.id }, body: { title: 'Great hall', width: 1234 } });
    await client.rooms.addElement({ params: { id: other.id }, body: { element: 'text', name: 'New' } });
    await client.media.update({ params: { id: image.id }, body: { alt: 'People' } });
    await client.endpoints.update({ params: { id: top.id }, body: { name: 'Museum é' } });
    const tree = await client.endpoints.list();
    const sort = tree
      .toReversed()
      .map(({ id, children }) => ({ id, children: children.map((child) => ({ id: child.id })) }));
    await client.endpoints.reorder({ body: { sort } });
    await from.done('org', 'export', '--out', 'museum.zip', '--tokens');

    const target = production.client();
    const museum = (await target.endpoints.list()).find(({ slug }) => slug === 'museum')!;
    const idsOf = async () =>
      (await target.rooms.read({ params: { id: museum.room_id! } })).elements.map(({ id }) => id);
    const before = await idsOf();
    const result = await to.json('org', 'import', archive, ...ALL, '--undo-file', 'second.ndjson');
    expect(result).toMatchObject({ applied: true, is_reordered: true, undo: 'second.ndjson' });
    expect(
      result.entries.map(({ kind: of, action }: { kind: string; action: string }) => `${action} ${of}`).sort(),
    ).toEqual(
      ['update endpoints', 'update media', 'update rooms', 'update rooms', 'update rooms', 'update users'].sort(),
    );
    expect(await texts()).toEqual([]);
    expect(await idsOf()).toEqual(before);
    expect((await target.endpoints.list())[0]!.slug).toBe('museum');
    await to.done('org', 'undo', 'second.ndjson');
    const undone = await texts();
    expect(undone).toContain('The structures have another order.');
    expect(undone).toContain('The user "kim@example.com" differs: name.');
    await to.done('org', 'import', archive, ...ALL, '--undo-file', 'third.ndjson');
    expect(await texts()).toEqual([]);
  });

  it('removes nothing without --prune, and with it all that the export lacks', async () => {
    const client = production.client();
    const extra = await client.rooms.create({ body: { title: 'Extra' } });
    const parent = await client.endpoints.create({ body: { name: 'Extra', room_id: extra.id } });
    await client.endpoints.create({ body: { name: 'Below', room_id: extra.id, parent_endpoint_id: parent.id } });
    await client.templates.create({ body: { name: 'Extra' } });
    await client.folders.create({ body: { name: 'Extra' } });
    await client.feeds.create({ body: { name: 'Extra', type: 'local' } });
    await client.blocks.create({ body: { name: 'Extra', element: { id: 1, element: 'group' } } });
    await client.webhooks.create({ body: { name: 'Extra', url: 'https://example.com/x', events: ['stream.started'] } });
    await client.accessTokens.create({ body: { endpoint_id: parent.id, token: 'EXTRA' } });
    const before = await texts();
    expect(before).toHaveLength(9);
    const kept = await to.done('org', 'import', archive, ...ALL);
    expect(kept).toContain('9 entries only in the organization; --prune removes them:');
    expect(kept).toContain('the room "Extra"');
    expect(await texts()).toEqual(before);
    const plan = await to.done('org', 'import', archive, ...ALL, '--prune', '--dry-run');
    expect(plan).toMatch(/^Would create 0, update 0, remove 9;/);
    expect(await texts()).toEqual(before);
    await to.done('org', 'import', archive, ...ALL, '--prune', '--undo-file', 'pruned.ndjson');
    expect(await texts()).toEqual([]);
    await to.done('org', 'undo', 'pruned.ndjson');
    expect(await texts()).toEqual(before);
    await to.done('org', 'import', archive, ...ALL, '--prune', '--undo-file', 'pruned.ndjson');
  });

  it('one undo removes all that the first import added', async () => {
    expect(await to.run(['org', 'undo', 'third.ndjson', '--force'])).toMatchObject({ code: 0, error: '' });
    const run = await to.run(['org', 'undo', 'undo.ndjson', '--force']);
    expect([run.code, run.error, run.out]).toEqual([0, '', expect.stringMatching(/^Undone: \d+ steps\.\n$/)]);
    const client = production.client();
    expect((await client.rooms.list()).meta.total).toBe(0);
    expect(await client.endpoints.list()).toEqual([]);
    expect((await client.templates.list()).meta.total).toBe(0);
    expect((await client.media.list()).total).toBe(0);
    expect(await client.folders.list()).toEqual([]);
    expect(await second()).toEqual([0, 0, 0]);
  });
});
