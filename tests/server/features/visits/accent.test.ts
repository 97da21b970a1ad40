import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accentOf } from '../../../../src/contract/accent-color.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('the accent color of a page on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let visitor: Client;
  let id: number;
  let template: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    visitor = api.client({ token: null });
    template = (await client.templates.create({ body: { name: 'White room' } })).id;
    const room = await client.rooms.create({ body: { title: 'Hall', template_id: template } });
    id = (await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } })).id;
  });
  afterAll(() => api.close());

  const seen = async () =>
    accentOf(await visitor.visit.settings(), await visitor.visit.one({ params: { slugOne: 'hall' } }));
  const paint = (accent_color: string | null) => client.endpoints.update({ params: { id }, body: { accent_color } });

  it('is that of the structure, else of the template, else of the organization', async () => {
    expect(await seen()).toEqual({ from: 'organization', color: null });
    await client.organizations.update({ body: { accent_color: '#111111' } });
    expect(await seen()).toEqual({ from: 'organization', color: '#111111' });
    await client.templates.update({ params: { id: template }, body: { accent_color: '#222222' } });
    expect(await seen()).toEqual({ from: 'template', color: '#222222' });
    await paint('#333333');
    expect(await seen()).toEqual({ from: 'structure', color: '#333333' });
    await paint(null);
    expect(await seen()).toEqual({ from: 'template', color: '#222222' });
  });

  it('is refused unless it is a HEX color, and copied with its structure and template', async () => {
    expect((await refused(paint('teal'))).msg).toHaveProperty('accent_color');
    await paint('#333333');
    expect((await client.endpoints.copy({ params: { id }, body: {} })).accent_color).toBe('#333333');
    expect((await client.templates.copy({ params: { id: template }, body: {} })).accent_color).toBe('#222222');
  });

  it('shows nothing of a protected structure or its template before admission', async () => {
    await paint('#ABCDEF');
    await client.templates.update({ params: { id: template }, body: { accent_color: '#FEDCBA' } });
    await client.endpoints.update({ params: { id }, body: { is_protected: true } });
    const { text } = await api.send('GET', '/hall');
    expect(text).not.toMatch(/ABCDEF|FEDCBA/i);
    await client.endpoints.update({ params: { id }, body: { is_protected: false } });
  });

  it('is restored with a removed structure', async () => {
    await paint('#333333');
    await client.endpoints.remove({ params: { id } });
    const { data } = await client.bin.list({ query: { entity: 'endpoint', entity_id: id } });
    await client.history.restore({ params: { id: data[0]!.id } });
    expect(await client.endpoints.read({ params: { id } })).toMatchObject({ accent_color: '#333333' });
  });
});
