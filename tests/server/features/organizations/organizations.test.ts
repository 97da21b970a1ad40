import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { en } from '../../../../src/contract/viewer-texts/en.ts';
import { LANGUAGES } from '../../../../src/contract/viewer-texts/limits.ts';
import { contentSecurityPolicy } from '../../../../src/server/pages/security-headers.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';

describe.each(databases)('the organization on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const update = (body: Parameters<Client['organizations']['update']>[0]['body']) =>
    client.organizations.update({ body });
  const domains = (...list: string[]) => ({ embed_domains: list.map((domain) => ({ domain })) });
  const fields = async (attempt: Promise<unknown>) => {
    const error = await refused(attempt);
    return [error.status, ...Object.keys(error.msg)];
  };

  it('keeps what is given, and shows visitors their part of it', async () => {
    const template = await client.templates.create({ body: { name: 'T' } });
    const changed = await update({
      name: ' Museum ',
      meta_title: 'The museum',
      meta_description: 'Rooms\nand halls',
      font_color: '#abcdef',
      template_id: template.id,
      ...domains('https://www.example.com', 'HTTP://Example.com:8080/', '', ' ', 'https://www.example.com/'),
    });
    expect(changed).toMatchObject({
      name: 'Museum',
      meta_title: 'The museum',
      template_id: template.id,
      font_file: null,
      embed_domains: [
        { id: 1, domain: 'https://www.example.com' },
        { id: 2, domain: 'http://example.com:8080' },
      ],
      modules: [{ module: 'local' }, { module: 'picdrop' }],
    });
    expect(await client.organizations.read()).toEqual(changed);
    expect(await update({ meta_title: '' })).toEqual({ ...changed, meta_title: '', updated_at: expect.anything() });
    const settings = await api.app.inject({ url: '/api/v1/settings', headers: { host: organization.host! } });
    expect(settings.json().data).toMatchObject({
      name: 'Museum',
      font_color: '#abcdef',
      embed_domains: ['https://www.example.com', 'http://example.com:8080'],
    });
    const page = await api.app.inject({ url: '/', headers: { host: organization.host! } });
    expect(page.headers['content-security-policy']).toMatch(
      /frame-ancestors 'self' https:\/\/www\.example\.com http:\/\/example\.com:8080$/,
    );
    expect((await refused(client.templates.remove({ params: { id: template.id } }))).code).toBe('in_use');
  });

  it('needs a name, colors that are some, and a version that is current', async () => {
    for (const [field, value] of [
      ['name', ' '],
      ['font_color', 'red'],
      ['meta_title', 'a\nb'],
      ['template_id', 999_999],
      ['font_file_id', 999_999],
      ['accent_color', 'teal'],
      ['logo_file_id', 999_999],
    ] as const)
      expect(await fields(update({ [field]: value }))).toEqual([422, field]);
    const { updated_at } = await client.organizations.read();
    await update({ name: 'A', updated_at });
    expect((await refused(update({ name: 'B', updated_at }))).code).toBe('stale');
    expect((await refused(update({ realtime_api_key: 'x' } as never))).code).toBe('unknown_field');
  });

  it('puts own words in place of the viewer’s: plain, known by key, bounded, replaced as a whole', async () => {
    const own = { en: { more: ' <b>Even</b> more ', close: '' }, nl: { more: 'Nog meer' } };
    const { texts } = await update({ texts: own });
    const none = Object.fromEntries(LANGUAGES.map((language) => [language, {}]));
    expect(texts).toEqual({ ...none, en: { more: '<b>Even</b> more' }, nl: { more: 'Nog meer' } });
    const settings = await api.app.inject({ url: '/api/v1/settings', headers: { host: organization.host! } });
    expect(settings.json().data.texts).toEqual(texts);
    // Another field leaves them alone.
    expect((await update({ meta_title: 'T' })).texts).toEqual(texts);
    const unknown = await refused(update({ texts: { en: { nonsense: 'x' } } as never }));
    expect([unknown.code, Object.keys(unknown.msg)]).toEqual(['unknown_field', ['texts.en.nonsense']]);
    expect((await refused(update({ texts: { xx: {} } as never }))).code).toBe('unknown_field');
    for (const words of ['x'.repeat(501), 'two\nlines', '\ud800'])
      expect(await fields(update({ texts: { en: { help: words } } }))).toEqual([422, 'texts.en.help']);
    const long = Object.fromEntries(Object.keys(en).map((key) => [key, 'x'.repeat(500)]));
    expect(await fields(update({ texts: { en: long } }))).toEqual([422, 'texts']);
    expect((await client.organizations.read()).texts).toEqual(texts);
    const { data } = await client.history.list({ query: {} });
    const change = data.find(({ entity, after }) => entity === 'organization' && after && 'texts' in after);
    expect(change).toMatchObject({ before: {}, after: { texts: { en: { more: '<b>Even</b> more' } } } });
    const plural = { pl: { accessEndsIn: 'Jeszcze {count} min.', accessEndsInMinute: 'Jeszcze minuta.' } };
    expect((await update({ texts: plural })).texts).toEqual({ ...none, ...plural });
    expect((await update({ texts: {} })).texts).toEqual(none);
  });

  it('security: loads third parties as specified unless it asks, and takes only container IDs as a tag manager', async () => {
    expect(await client.organizations.read()).toMatchObject({ third_parties: 'specified', tag_manager_id: '' });
    expect(await update({ third_parties: 'ask', tag_manager_id: ' GTM-ABC1234 ' })).toMatchObject({
      third_parties: 'ask',
      tag_manager_id: 'GTM-ABC1234',
    });
    const headers = { host: organization.host! };
    const settings = await api.app.inject({ url: '/api/v1/settings', headers });
    expect(settings.json().data).toMatchObject({ third_parties: 'ask', tag_manager_id: 'GTM-ABC1234' });
    for (const tag_manager_id of [
      'GTM-',
      'gtm-abc1234',
      'GTM-ABC; script-src *',
      'https://evil.example/a.js',
      'G-ABC1234',
    ])
      expect(await fields(update({ tag_manager_id }))).toEqual([422, 'tag_manager_id']);
    expect(await fields(update({ third_parties: 'never' as never }))).toEqual([422, 'third_parties']);
    await update({ tag_manager_id: '' });
    const page = await api.app.inject({ url: '/', headers });
    expect(page.headers['content-security-policy']).not.toContain('googletagmanager');
  });

  it('security 38: refuses sites that are more or less than scheme and host', async () => {
    const before = await client.organizations.read();
    const wrong = [
      'example.com',
      '//example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://*.example.com',
      'https://*',
      '*',
      'https://example.com/path',
      'https://example.com?x',
      'https://example.com#x',
      'https://user@example.com',
      'https://user:password@example.com',
      'https://example.com; script-src *',
      'https://example.com;',
      'https://example.com\nhttps://other.com',
      'https://example.com\r\n',
      'https://example.com https://other.com',
      'https://example.com,https://other.com',
      'https://example.com\t',
      "https://example.com'",
      'https://exämple.com',
      'https://example.com:99999',
      'https://example.com:',
      'https://-example.com',
      'https://.example.com',
      'https://example..com',
      'https://',
      'https:/example.com',
      "'none'",
      'https://\u0000',
      `https://${'a'.repeat(300)}.com`,
    ];
    for (const domain of wrong)
      expect(await fields(update(domains('https://good.example', domain))), domain).toEqual([
        422,
        'embed_domains.1.domain',
      ]);
    expect(
      await fields(update(domains(...Array.from({ length: 101 }, (_, index) => `https://a${index}.com`)))),
    ).toEqual([422, 'embed_domains']);
    expect(await client.organizations.read()).toEqual(before);
  });

  it('every site that is taken stands in the policy of the pages', async () => {
    const sites = [
      'https://example.com',
      'http://localhost:3000',
      'https://192.0.2.1',
      'https://a-b.xn--exmple-cua.com',
    ];
    const { embed_domains } = await update(domains(...sites));
    const policy = contentSecurityPolicy(embed_domains.map(({ domain }) => domain));
    expect(policy).toContain(`frame-ancestors 'self' ${sites.join(' ')}`);
  });

  it('knows the services that are available', async () => {
    const { status, body } = await api.call(calls.modules.list, {}, { token: organization.admin.token });
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { module: 'local', type: 'video' },
      { module: 'picdrop', type: 'feed' },
      { module: 'local', type: 'feed' },
    ]);
  });
});
