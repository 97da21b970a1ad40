import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { ImportPlan } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const told = ({ entries }: ImportPlan) => entries.map(({ kind, action, key }) => `${kind} ${action} ${key}`);
const wrong = ({ entries }: ImportPlan) =>
  entries.flatMap(({ index, problems }) => problems.map(({ path, reason }) => `${index} ${path}: ${reason}`));

describe.each(databases)('imports on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const rooms = (items: Record<string, unknown>[], body: object = {}, idempotencyKey?: string) =>
    client.imports.rooms({ body: { items, ...body }, idempotencyKey });
  const read = async (name: string) => {
    const { data } = await client.rooms.list({ query: { search: name } });
    return client.rooms.read({ params: { id: data.find((row) => row.name === name)!.id } });
  };
  const hall = (name: string) => ({
    title: name,
    width: 900,
    config: {
      duration: 60,
      top_left_link: { name: 'View', navigation: { type: 'view_point', type_config: { view_point_id: 12 } } },
    },
    elements: [
      {
        id: 10,
        element: 'group',
        name: 'Wall',
        children: [{ id: 11, element: 'image', config: { title: 'One' } }],
      },
      { id: 12, element: 'view_point', name: 'Door' },
    ],
  });

  it('refuses documents of a later program, unknown types and groups that are not there, each in a sentence', async () => {
    const before = await api.dump();
    const odd = await rooms([
      { title: 'Later', version: 99 },
      { title: 'Hologram', elements: [{ id: 1, element: 'hologram' }] },
      { title: 'Stray', elements: [{ id: 1, element: 'light', parent_element_id: 5 }] },
    ]);
    expect(wrong(odd)).toEqual([
      '0 version: This document has format version 99, but this program supports up to 2. Update Enfilade.',
      expect.stringMatching(/^1 elements\.0\.element: Unknown element type "hologram"\. Use one of audio, /),
      "2 elements.0.parent_element_id: Element 5 doesn't exist in this document.",
    ]);
    expect(await api.dump()).toBe(before);
  });

  it('adds rooms with their elements, changes them, leaves alone what is the same, and takes each import back', async () => {
    const name = `Hall ${kind}`;
    const first = await rooms([
      { ...hall(name), endpoint: { path: 'hall', name: 'The hall' } },
      { title: `Bare ${kind}` },
    ]);
    expect(first).toMatchObject({ applied: true, counts: { create: 3, wrong: 0 } });
    expect(told(first)).toEqual([`rooms create ${name}`, 'endpoints create hall', `rooms create Bare ${kind}`]);
    const made = await read(name);
    const [wall, door] = made.elements;
    expect(made).toMatchObject({ width: 900, height: 1000, config: { duration: 60 } });
    expect(made.config.top_left_link!.navigation.type_config).toEqual({ view_point_id: door!.id });
    expect(wall!.children[0]).toMatchObject({ name: '', config: { title: 'One' }, parent_element_id: wall!.id });

    // The same document again, as it was sent and as the server has it now.
    const before = await api.dump();
    expect((await rooms([hall(name)])).counts).toMatchObject({ unchanged: 1, update: 0, create: 0 });
    const { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, policies, updated_at, ...document } = made;
    expect((await rooms([document])).counts).toMatchObject({ unchanged: 1, update: 0 });
    expect(await api.dump()).toBe(before);

    const changed = structuredClone(document) as typeof document & { elements: typeof document.elements };
    changed.elements = [changed.elements[1]!, { ...changed.elements[0]!, children: [] }];
    changed.description = '<p>New</p>';
    const tried = await rooms([changed], { dry_run: true });
    expect(tried).toMatchObject({ applied: false, job: null, counts: { update: 1 } });
    expect(tried.entries[0]!.fields).toEqual(['description', 'elements']);
    expect(await api.dump()).toBe(before);
    const second = await rooms([changed]);
    expect((await read(name)).elements.map(({ id, children }) => [id, children.length])).toEqual([
      [door!.id, 0],
      [wall!.id, 0],
    ]);
    expect((await refused(client.imports.undo({ params: { id: first.job! }, body: {} }))).code).toBe('stale');
    expect(await client.imports.undo({ params: { id: second.job! }, body: {} })).toEqual({ undone: 1 });
    const { updated_at: _at, timestamp_current: _now, ...back } = await read(name);
    expect(back).toEqual({ ...document, policies, timestamp_start_of_day, timestamp_end_of_day });
    expect((await refused(client.imports.undo({ params: { id: second.job! }, body: {} }))).code).toBe('invalid');
    const forced = await client.imports.undo({ params: { id: first.job! }, body: { force: true } });
    expect(forced).toEqual({ undone: 3 });
    expect((await client.rooms.list({ query: { search: kind } })).data).toEqual([]);
    const [, , job] = (await client.imports.list()).data.toReversed();
    expect([timestamp_current > 0, updated_at !== '', job === undefined]).toEqual([true, true, true]);
  });

  it('changes nothing when anything is wrong, and says what and where', async () => {
    await rooms([{ title: 'Same' }]);
    await client.rooms.create({ body: { title: 'Twice' } });
    await client.rooms.create({ body: { title: 'Twice' } });
    const before = await api.dump();
    const plan = await rooms([
      { title: 'Good' },
      { title: 'Good' },
      { title: 'Twice' },
      { name: '' },
      { title: 'Long', width: -1 },
      { title: 'Odd', color: 'red' },
      { title: 'No template', template: { name: 'None' } },
      { title: 'No type', elements: [{ id: 1, element: 'hologram' }] },
      {
        title: 'No file',
        elements: [
          {
            id: 1,
            element: 'image',
            file: { id: 9, type: 'image', name: 'a.png', url: `/media/${'0'.repeat(64)}/a.png` },
          },
        ],
      },
    ]);
    expect(plan).toMatchObject({ applied: false, job: null, counts: { create: 1, wrong: 8 } });
    expect(wrong(plan)).toEqual([
      '1 name: This is in the file twice.',
      '2 name: Several spaces have this name. Rename all but one.',
      '3 title: Give the space a title.',
      expect.stringMatching(/^4 width: /),
      '5 color: Unknown field.',
      '6 template: No template is named "None". Import it first.',
      expect.stringMatching(/^7 elements\.0/),
      '8 file: The file a.png is not in the media library. Upload it, or import a bundle.',
    ]);
    expect(wrong(await rooms([{ title: 'Same' }], { mode: 'create' }))).toEqual([
      expect.stringContaining('0 name: This already exists.'),
    ]);
    expect(await api.dump()).toBe(before);
  });

  it('security 11: ids of another organization are those of nothing', async () => {
    const other = api.client(api.two.admin);
    const template = await other.templates.create({ body: { name: 'Theirs' } });
    const before = await api.dump();
    expect(wrong(await rooms([{ title: 'Mine', template_id: template.id }]))).toEqual([
      '0 template_id: Template not found; it may have been deleted. Choose another one.',
    ]);
    expect(wrong(await rooms([{ title: 'Mine', elements: [{ id: 1, element: 'image', file_id: 1 }] }]))).toEqual([
      '0 element 1, file: File not found; it may have been deleted. Choose another one.',
    ]);
    expect(await api.dump()).toBe(before);
  });

  it('does a request that is sent again with the same key once', async () => {
    const key = randomUUID();
    const items = [{ title: 'Once' }];
    const answers = await Promise.all([1, 2, 3].map(() => rooms(items, { mode: 'create' }, key)));
    expect(new Set(answers.map(({ job }) => job)).size).toBe(1);
    expect((await refused(rooms([{ title: 'Other' }], {}, key))).code).toBe('key_reused');
    api.clock.advance(25 * 60 * 60 * 1000);
    client = api.client({ token: await api.signIn(api.one.admin) });
    expect((await rooms(items, {}, key)).counts).toMatchObject({ unchanged: 1 });
    expect((await refused(rooms(items, {}, 'x'))).code).toBe('bad_request');
  });

  it('imports templates and structures by name and path, prunes when told, and needs the rights for it', async () => {
    await rooms([{ title: 'Lobby' }]);
    const templates = (items: Record<string, unknown>[], body: object = {}) =>
      client.imports.templates({ body: { items, ...body } });
    expect((await templates([{ name: 'White', width: 500 }, { name: 'Black' }])).counts.create).toBe(2);
    expect((await templates([{ name: 'White', depth: 700 }])).entries[0]).toMatchObject({
      action: 'update',
      fields: ['depth'],
    });
    expect((await templates([{ name: 'White' }], { mode: 'replace' })).entries[0]!.fields.toSorted()).toEqual([
      'depth',
      'width',
    ]);
    await rooms([{ title: 'White room', template_name: 'White' }]);
    const pruned = await templates([{ name: 'Black' }], { prune: true });
    expect([pruned.applied, wrong(pruned)[0]]).toEqual([false, 'null : This template is still in use.']);

    const structures = (items: object[], body: object = {}) =>
      client.imports.endpoints({ body: { items: items as never, ...body } });
    const made = await structures([
      { path: 'museum', room: 'Lobby', name: 'Museum' },
      { path: 'museum/hall', room: 'White room', is_protected: true, start_time: '19:55' },
    ]);
    expect(made.counts.create).toBe(2);
    expect((await structures([{ path: 'museum/hall', is_protected: true }])).counts.unchanged).toBe(1);
    expect(
      wrong(
        await structures([
          { path: 'none/below', room: 'Lobby' },
          { path: 'a/b/c' },
          { path: 'new' },
          { path: 'admin', room: 'Lobby' },
        ]),
      ),
    ).toEqual([
      '0 path: The parent structure "none" doesn\'t exist. Add it before this one.',
      '1 path: Structures can have at most two levels.',
      '2 room: Enter the name of the space to show.',
      '3 slug: The path /admin is reserved. Choose another slug.',
    ]);
    const { id } = (await client.endpoints.list())[0]!.children[0]!;
    await client.accessTokens.create({ body: { endpoint_id: id } });
    expect(wrong(await structures([{ path: 'museum' }], { prune: true }))).toEqual([
      'null : The structure has access tokens. Remove them first.',
    ]);
    expect((await refused(client.imports.undo({ params: { id: made.job! }, body: {} }))).msg.error).toContain(
      'museum/hall has new access tokens.',
    );
    await client.accessTokens.removeMany({
      body: { ids: (await client.accessTokens.list()).data.map((row) => row.id) },
    });
    const gone = await structures([{ path: 'museum' }], { prune: true });
    expect(told(gone)).toEqual(['endpoints unchanged museum', 'endpoints remove hall']);
    await client.imports.undo({ params: { id: gone.job! }, body: {} });
    expect((await client.endpoints.list())[0]!.children[0]).toMatchObject({ id, slug: 'hall', start_time: '19:55' });

    const none = { view_any: false, create: false, update: false, delete: false };
    const adder = await api.addUser(api.one, { endpoints: { ...none, create: true } });
    const mayNot = api.client(adder).imports.endpoints({ body: { items: [{ path: 'museum', name: 'Changed' }] } });
    expect((await refused(mayNot)).code).toBe('forbidden');
    const prunes = api.client(adder).imports.endpoints({ body: { items: [], prune: true } });
    expect((await refused(prunes)).code).toBe('forbidden');
  });
});
