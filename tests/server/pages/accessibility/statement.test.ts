import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { NO_STATEMENT, type Statement } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';

const FILLED: Statement = {
  kind: 'public',
  body_name: 'Museum of <b>Light</b>',
  email: 'access@museum.example',
  phone: '+31 (0)20 123 45 67',
  contact_url: 'https://museum.example/contact?a=1&b=2',
  enforcement_name: 'Ombuds <script>alert(1)</script>',
  enforcement_url: 'https://ombuds.example',
  limitations: 'Old <i>guides</i> are scans.\n\nThe lift video has no subtitles.',
  reviewed_on: '2026-03-31',
};

describe.each(databases)('accessibility statements on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`statement-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const save = (statement: Partial<Statement>) =>
    client.organizations.update({ body: { statement: { ...FILLED, ...statement } } });
  const get = (path: string, headers: Record<string, string> = {}, host = organization.host!) =>
    api.app.inject({ url: path, headers: { host, ...headers } });
  const fields = async (attempt: Promise<unknown>) => {
    const error = await refused(attempt);
    return [error.status, ...Object.keys(error.msg)];
  };
  const publish = async (title: string, endpoint: { slug?: string; is_visible?: boolean } = {}, decorative = false) => {
    const room = await client.rooms.create({ body: { title } });
    for (const hidden of [false, true])
      await client.rooms.addElement({
        params: { id: room.id },
        body: { element: 'image', hidden, config: { file_url: '/media/a.png', decorative } },
      });
    return client.endpoints.create({ body: { name: title, room_id: room.id, ...endpoint } });
  };
  const takePath = (id: number) =>
    api.services.db.updateTable('endpoints').set({ slug: 'accessibility' }).where('id', '=', id).execute();

  it('are none at first: no page and no link', async () => {
    expect((await client.organizations.read()).statement).toEqual(NO_STATEMENT);
    await publish('Hall');
    for (const path of ['/accessibility', '/accessibility.html']) expect((await get(path)).statusCode, path).toBe(404);
    expect((await get('/api/v1/settings')).json().data.statement_url).toBe('');
    expect((await get('/hall?text')).body).not.toContain('/accessibility');
  });

  it('names its kind, its body, its contact and its limits, and escapes what was typed', async () => {
    await publish('Hall');
    expect((await save({})).statement).toEqual(FILLED);
    expect((await client.organizations.read()).statement).toEqual(FILLED);
    const { statusCode, headers, body } = await get('/accessibility');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers.vary).toContain('accept-language');
    expect(body).not.toMatch(/<script|<b>|<i>/);
    for (const text of [
      'Directive (EU) 2016/2102',
      `https://${organization.host}`,
      'Museum of &lt;b&gt;Light&lt;/b&gt;',
      'href="mailto:access@museum.example"',
      'href="tel:+310201234567"',
      'href="https://museum.example/contact?a=1&amp;b=2"',
      'Ombuds &lt;script&gt;',
      '<li><span lang="" dir="auto">The lift video has no subtitles.</span></li>',
      'March 31, 2026',
      'partially compliant',
      'Disproportionate burden',
      '9.1.2.5 Audio Description (Prerecorded) (Partially Supports). Web: ',
      '7.1.5 Spoken subtitles (Does Not Support). Web: ',
      '<span lang="en" dir="ltr">7.1.2 Captioning synchronization</span>',
      '<span lang="en" dir="ltr">9.1.4.12 Text Spacing</span>',
      'href="/accessibility/report.html"',
    ])
      expect(body).toContain(text);
    expect((await get('/accessibility.html')).body).toBe(body);
    const text = await get('/hall?text');
    expect(text.body).toContain('<a href="/accessibility">Accessibility statement</a>');
    expect((await get('/hall?text&lang=ar')).body).toContain('<a href="/accessibility">بيان إمكانية الوصول</a>');
  });

  it('of private services follow Annex V of the European Accessibility Act', async () => {
    await save({ kind: 'private', enforcement_name: '', enforcement_url: '', reviewed_on: '' });
    const { body } = await get('/accessibility');
    for (const text of [
      'self-assessed against WCAG 2.2 and EN 301 549',
      'Directive (EU) 2019/882',
      'Description of the service',
      'How the service meets the requirements',
      'market surveillance authority of your country',
      'has not been recorded',
    ])
      expect(body).toContain(text);
    expect(body).not.toContain('Disproportionate burden');
    expect(body.split('partially compliant')).toHaveLength(2);
  });

  it('speak four languages, and English to all others', async () => {
    await save({});
    const titles = { en: 'Accessibility statement', nl: 'Toegankelijkheidsverklaring', ja: 'Accessibility statement' };
    for (const [language, title] of Object.entries({
      ...titles,
      de: 'Erklärung zur Barrierefreiheit',
      fr: 'Déclaration d’accessibilité',
    })) {
      const { body } = await get('/accessibility', { 'accept-language': language });
      expect(body).toContain(`<h1>${title}</h1>`);
      expect(body).toContain(`<html lang="${language === 'ja' ? 'en' : language}"`);
      expect(body).not.toMatch(/\{\w+\}/);
    }
    expect((await get('/accessibility?lang=nl')).body).toContain('<html lang="nl"');
  });

  it('count what visitors can reach and assistive technology cannot present', async () => {
    await save({});
    const lines = async () => (await get('/accessibility')).body.match(/Images without an alternative text: \d+/)?.[0];
    expect(await lines()).toBeUndefined();
    await publish('Hall');
    await publish('Hidden', { is_visible: false });
    await publish('Decorated', {}, true);
    expect(await lines()).toBe('Images without an alternative text: 1');
    const { id } = await publish('Later');
    expect(await lines()).toBe('Images without an alternative text: 2');
    // Nothing has been published of it.
    await client.endpoints.update({ params: { id }, body: { shows: 'published' } });
    expect(await lines()).toBe('Images without an alternative text: 1');
    const { room_id } = await client.endpoints.read({ params: { id } });
    await client.publications.publish({ params: { id: room_id! }, body: {} });
    expect(await lines()).toBe('Images without an alternative text: 2');
  });

  it('name findings about media, in their languages', async () => {
    await save({});
    const { room_id } = await publish('Hall');
    const params = { id: room_id! };
    await client.rooms.addElement({ params, body: { element: 'audio', config: { file_url: '/media/a.mp3' } } });
    await client.rooms.addElement({ params, body: { element: 'iframe', config: { src: 'https://maps.example/' } } });
    for (const [language, ...texts] of [
      ['en', 'embedded pages without an alternative text: 2'],
      ['en', 'Audio and videos with neither subtitles nor a transcript: 1'],
      ['nl', 'ingesloten pagina’s zonder', 'zonder ondertitels en zonder transcript: 1'],
      ['de', 'eingebettete Seiten ohne', 'ohne Untertitel und ohne Transkript: 1'],
      ['fr', 'pages intégrées sans', 'sans sous-titres ni transcription : 1'],
    ] as const) {
      const { body } = await get('/accessibility', { 'accept-language': language });
      for (const text of texts) expect(body).toContain(text);
    }
  });

  it('say how many rooms were checked if there are more than 200', async () => {
    await save({});
    const { id } = await publish('Hall');
    const { db } = api.services;
    const endpoint = await db.selectFrom('endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const room = await db.selectFrom('rooms').selectAll().where('id', '=', endpoint.room_id!).executeTakeFirstOrThrow();
    const copy = async (numbers: readonly number[]) => {
      const { id: _, ...copied } = room;
      const rows = numbers.map((at) => ({ ...copied, name: `Copy ${at}` }));
      const added = await db.insertInto('rooms').values(rows).returning('id').execute();
      const { id: __, ...published } = endpoint;
      const named = added.map((each) => ({ ...published, room_id: each.id, name: `${each.id}`, slug: `r${each.id}` }));
      await db.insertInto('endpoints').values(named).execute();
    };
    for (let at = 1; at < 200; at += 20) await copy(Array.from({ length: Math.min(20, 200 - at) }, (_, n) => at + n));
    expect((await get('/accessibility')).body).not.toContain('most recently changed');
    await copy([200]);
    const { body } = await get('/accessibility');
    expect(body).toContain('The automatic checks cover the 200 most recently changed of 201 published rooms.');
    for (const language of ['nl', 'de', 'fr'])
      expect((await get('/accessibility', { 'accept-language': language })).body).toMatch(/200 .* 201 /);
  });

  it('are each organization’s own, by host', async () => {
    await save({});
    const other = await api.addOrganization(`other-${count}.example`);
    expect((await get('/accessibility', {}, other.host!)).statusCode).toBe(404);
    await api.client(other.admin).organizations.update({
      body: { statement: { ...FILLED, kind: 'private', body_name: 'Harbor Ltd' } },
    });
    expect((await get('/accessibility', {}, other.host!)).body).toContain('Harbor Ltd');
    expect((await get('/accessibility')).body).not.toContain('Harbor Ltd');
  });

  it('leave a structure alone that has had the path before; no other gets it', async () => {
    await save({});
    const { id } = await publish('Old');
    await takePath(id);
    expect((await get('/accessibility')).body).not.toContain('<h1>Accessibility statement</h1>');
    expect((await get('/accessibility?text')).body).toContain('<h1>Old</h1>');
    expect((await get('/accessibility.html')).body).toContain('<h1>Accessibility statement</h1>');
    expect((await get('/api/v1/settings')).json().data.statement_url).toBe('/accessibility.html');
    expect((await get('/accessibility?text')).body).toContain('href="/accessibility.html"');
    // It is still edited and put in order.
    const params = { id };
    expect((await client.endpoints.update({ params, body: { name: 'Older' } })).slug).toBe('accessibility');
    const { id: hall } = await publish('Hall');
    const sort = [hall, id].map((each) => ({ id: each, children: [] }));
    await client.endpoints.reorder({ body: { sort } });
    expect(await fields(client.endpoints.update({ params: { id: hall }, body: { slug: 'accessibility' } }))).toEqual([
      422,
      'slug',
    ]);
    await client.endpoints.update({ params, body: { is_visible: false } });
    expect((await get('/accessibility')).body).toContain('<h1>Accessibility statement</h1>');
    await client.endpoints.update({ params, body: { is_visible: true, slug: 'old' } });
    expect((await get('/accessibility')).body).toContain('<h1>Accessibility statement</h1>');
    expect(await fields(client.endpoints.update({ params, body: { slug: 'accessibility' } }))).toEqual([422, 'slug']);
  });

  it('are refused with their field, and nothing is lost', async () => {
    await save({});
    const before = await client.organizations.read();
    for (const [field, value] of [
      ['kind', 'other'],
      ['body_name', 'a\nb'],
      ['body_name', 'x'.repeat(256)],
      ['email', 'nobody'],
      ['phone', '<b>1</b>'],
      ['contact_url', 'javascript:alert(1)'],
      ['contact_url', 'http://museum.example'],
      ['enforcement_url', 'https://user@ombuds.example'],
      ['enforcement_name', '\u0001'],
      ['limitations', 'x'.repeat(5001)],
      ['limitations', 'a\ud800'],
      ['reviewed_on', '2026-02-30'],
      ['reviewed_on', 'yesterday'],
    ] as const)
      expect(await fields(save({ [field]: value })), `${field}: ${value.slice(0, 40)}`).toEqual([
        422,
        `statement.${field}`,
      ]);
    expect(await fields(save({ email: '', phone: '', contact_url: '' }))).toEqual([422, 'statement.email']);
    const part = { kind: 'public' } as Statement;
    expect((await refused(client.organizations.update({ body: { statement: part } }))).status).toBe(422);
    expect(await client.organizations.read()).toEqual(before);
    const { updated_at } = before;
    await save({ phone: '1' });
    const stale = client.organizations.update({ body: { statement: FILLED, updated_at } });
    expect((await refused(stale)).code).toBe('stale');
  });

  it('are in the history and the audit log', async () => {
    await save({});
    const { data } = await client.history.list({ query: {} });
    expect(data[0]).toMatchObject({ entity: 'organization', after: { statement: { kind: 'public' } } });
    const { data: events } = await client.audit.list({ query: { event: 'settings_changed' } });
    expect(events[0]!.details).toEqual({ fields: ['statement'] });
  });

  it('the conformance report is on every host, whether there is a statement or not', async () => {
    const { statusCode, body, headers } = await get('/accessibility/report.html');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('9.1.4.3 Contrast (Minimum) (AA)');
    expect(body).toContain('No results of a test run were given');
    expect(body).not.toContain('<strong>passed</strong>');
  });
});
