import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_STATEMENT } from '../../../../src/contract/entities.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('accessibility findings on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
  });
  afterAll(() => api.close());

  it('are counted by code and space, with edits, and without other organizations’', async () => {
    const organization = await api.addOrganization('findings.example');
    const client = api.client(organization.admin);
    const add = async (title: string, elements: Parameters<typeof client.rooms.addElement>[0]['body'][]) => {
      const { id } = await client.rooms.create({ body: { title } });
      const added = [];
      for (const body of elements) added.push((await client.rooms.addElement({ params: { id }, body })).id);
      return { id, elements: added };
    };
    const image = { element: 'image' as const, config: { file_url: '/media/a.png' } };
    const hall = await add('Hall', [image, image, { ...image, name: 'Dusk' }]);
    const lake = await add('Lake', [image, { element: 'audio', config: { file_url: '/media/a.mp3' } }]);
    await add('Empty', []);
    expect(await client.accessibility.findings()).toEqual({
      rooms_checked: 3,
      rooms_total: 3,
      findings: [
        {
          code: 'image-without-alternative',
          meaning: expect.stringContaining('alternative text'),
          count: 3,
          rooms: [
            { id: hall.id, name: 'Hall', count: 2 },
            { id: lake.id, name: 'Lake', count: 1 },
          ],
        },
        {
          code: 'media-without-alternative',
          meaning: expect.stringContaining('alternative text'),
          count: 1,
          rooms: [{ id: lake.id, name: 'Lake', count: 1 }],
        },
        {
          code: 'media-without-transcript',
          meaning: expect.stringContaining('transcript'),
          count: 1,
          rooms: [{ id: lake.id, name: 'Lake', count: 1 }],
        },
      ],
      statement_url: '',
      report_url: 'https://findings.example/accessibility/report.html',
    });
    await client.elements.update({
      params: { id: lake.elements[1]! },
      body: { name: 'Waves', config: { transcript: 'Waves.' } },
    });
    const { findings } = await client.accessibility.findings();
    expect(findings.map(({ code, count }) => [code, count])).toEqual([['image-without-alternative', 3]]);
    const statement = { ...NO_STATEMENT, kind: 'private' as const, phone: '1' };
    await client.organizations.update({ body: { statement } });
    expect((await client.accessibility.findings()).statement_url).toBe('https://findings.example/accessibility');
    const other = await api.addOrganization('elsewhere.example');
    expect(await api.client(other.admin).accessibility.findings()).toMatchObject({ rooms_total: 0, findings: [] });
  });

  it('are counted in 200 changed spaces per call, the last changed first', async () => {
    const organization = await api.addOrganization('many.example');
    const client = api.client(organization.admin);
    const { id } = await client.rooms.create({ body: { title: 'Oldest' } });
    const body = { element: 'image' as const, config: { file_url: '/media/a.png' } };
    const element = await client.rooms.addElement({ params: { id }, body });
    const row = await api.services.db.selectFrom('rooms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { id: _, ...copied } = row;
    const copies = Array.from({ length: 200 }, (__, at) => ({
      ...copied,
      name: `Copy ${at}`,
      updated_at: new Date(Date.parse(row.updated_at) + 1 + at).toISOString(),
    }));
    for (let at = 0; at < copies.length; at += 20)
      await api.services.db
        .insertInto('rooms')
        .values(copies.slice(at, at + 20))
        .execute();
    const found = await client.accessibility.findings();
    expect(found).toMatchObject({ rooms_checked: 200, rooms_total: 201, findings: [] });
    expect(await client.accessibility.missing()).toEqual({ count: 1, rooms: 1, rooms_checked: 201, rooms_total: 201 });
    api.clock.advance(1000);
    await client.elements.update({ params: { id: element.id }, body: { width: 200 } });
    expect((await client.accessibility.findings()).findings).toMatchObject([{ count: 1, rooms: [{ name: 'Oldest' }] }]);
  });

  it('missing alternatives and transcripts are counted, also of a changed template, without other findings', async () => {
    const organization = await api.addOrganization('missing.example');
    const client = api.client(organization.admin);
    const create = { width: 8, height: 4, channels: 3 as const, background: '#336699' };
    const photo = new File([await sharp({ create }).png().toBuffer()], 'photo.png');
    const file = await client.media.upload({ body: {}, files: { file: photo } });
    const template = await client.templates.create({ body: { name: 'Photo', model_type: 'pano', file_id: file.id } });
    const body = { title: 'Hall', template_id: template.id };
    const { id } = await client.rooms.create({ body });
    const image = { element: 'image' as const, config: { file_url: '/media/a.png' } };
    await client.rooms.addElement({ params: { id }, body: image });
    await client.rooms.addElement({ params: { id }, body: { element: 'view_point' } });
    expect(await client.accessibility.missing()).toEqual({ count: 2, rooms: 1, rooms_checked: 1, rooms_total: 1 });
    await client.templates.update({ params: { id: template.id }, body: { config: { alt: 'The hall.' } } });
    expect(await client.accessibility.missing()).toMatchObject({ count: 1, rooms: 1 });
  });

  it('are of the folders that a user is limited to', async () => {
    const organization = await api.addOrganization('folders.example');
    const client = api.client(organization.admin);
    const folder = await client.folders.create({ body: { name: 'East' } });
    const image = { element: 'image' as const, config: { file_url: '/media/a.png' } };
    for (const folder_id of [null, folder.id, folder.id]) {
      const { id } = await client.rooms.create({ body: { title: 'Hall', folder_id } });
      await client.rooms.addElement({ params: { id }, body: image });
    }
    expect(await client.accessibility.missing()).toMatchObject({ count: 3, rooms: 3, rooms_total: 3 });
    const { settings: _, ...policies } = allPolicies();
    const user = await api.addUser(organization, policies);
    await client.users.update({
      params: { id: user.id },
      body: { limits: { folder_ids: [folder.id], endpoint_ids: [] } },
    });
    expect(await api.client(user).accessibility.missing()).toMatchObject({ count: 2, rooms: 2, rooms_total: 2 });
  });

  it('need the right to view spaces, and a session', async () => {
    const without = await api.addUser(api.one, { settings: allPolicies().settings });
    expect((await refused(api.client(without).accessibility.findings())).status).toBe(403);
    expect((await refused(api.client(without).accessibility.missing())).status).toBe(403);
    expect((await refused(api.client({ token: null }).accessibility.findings())).status).toBe(401);
  });
});
