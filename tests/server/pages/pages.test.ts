import { brotliDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/client.ts';
import type { VisitData } from '../../../src/contract/visit-data.ts';
import { timestampOf } from '../../../src/server/core/clock.ts';
import { contentSecurityPolicy } from '../../../src/server/pages/security-headers.ts';
import { ApiApp, databases } from '../../harness/api-app.ts';

const EVIL = `</title></script><script>alert("1")</script> \u2028 & '`;

describe.each(databases)('pages on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const at = timestampOf(api.clock.now());
    const panorama = await api.services.db
      .insertInto('media')
      .values({
        organization_id: api.one.id,
        user_id: null,
        name: 'p',
        type: 'image',
        mime: 'image/jpeg',
        bytes: 1,
        hash: 'a'.repeat(64),
        entry: 'p.jpg',
        width: 2,
        height: 1,
        duration: null,
        details: '{}',
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const template = await client.templates.create({ body: { name: 'P', model_type: 'pano', file_id: panorama.id } });
    const description = `<h2>First</h2><p>Light &amp; water &lt;b&gt;</p><p>${'word '.repeat(60)}</p>`;
    const lake = await client.rooms.create({ body: { title: 'Lake', description, template_id: template.id } });
    const hall = await client.rooms.create({ body: { title: EVIL } });
    const top = await client.endpoints.create({ body: { name: 'The Lake', slug: 'lake', room_id: lake.id } });
    await client.endpoints.create({ body: { name: EVIL, slug: 'evil', room_id: hall.id, parent_endpoint_id: top.id } });
    await client.endpoints.create({ body: { name: 'Members', room_id: hall.id, is_protected: true } });
  });
  afterAll(() => api.close());

  const load = async (path: string, headers?: Record<string, string>) => {
    const { status, text, headers: answered } = await api.send('GET', path, { headers });
    const json = /<script type="application\/json" id="visit">(.*?)<\/script>/s.exec(text)?.[1];
    return { status, text, headers: answered, data: json ? (JSON.parse(json) as VisitData) : null };
  };

  it('carry the room, so that the first frame waits for nothing else', async () => {
    const { status, data, headers, text } = await load('/lake');
    expect(status).toBe(200);
    expect(data).toMatchObject({ problem: null, endpoint: { name: 'The Lake', room: { title: 'Lake' } } });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(text).toContain(
      `<link rel="preload" as="fetch" crossorigin="anonymous" href="/media/${'a'.repeat(64)}/p.jpg" />`,
    );
  });

  it('are revalidated by a tag that changes with the room, not with the clock; those not open to everyone are not stored', async () => {
    const { id } = await client.rooms.create({ body: { title: 'Tagged' } });
    await client.endpoints.create({ body: { name: 'Tagged', room_id: id } });
    const first = await load('/tagged');
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    const again = await load('/tagged', { 'if-none-match': tag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    // Browsers replace the stored policy, which names the page's script.
    const policy = 'content-security-policy';
    expect(again.headers.get(policy)).toBe(first.headers.get(policy));
    await client.rooms.update({ params: { id }, body: { title: 'Tagged again' } });
    const changed = await load('/tagged', { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
    for (const path of ['/members', '/nothing']) {
      const { headers } = await load(path);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
  });

  it('say what was written last, however often they were asked for before', async () => {
    const { id } = await client.rooms.create({ body: { title: 'First', description: '<p>Before</p>' } });
    await client.endpoints.create({ body: { name: 'Changing', room_id: id } });
    const before = await load('/changing');
    expect((await load('/changing')).text).toBe(before.text);
    expect(before.text).toContain('<meta name="description" content="Before" />');
    await client.rooms.update({ params: { id }, body: { title: EVIL, description: '<p>After</p>' } });
    const after = await load('/changing');
    expect(after.data?.endpoint?.room?.title).toBe(EVIL);
    expect(after.text).toContain('<meta name="description" content="After" />');
    const { text } = await api.send('GET', '/api/v1/endpoints/changing');
    expect(after.data?.endpoint).toEqual(JSON.parse(text).data);
  });

  it('say what they are to search engines and link previews', async () => {
    const { text } = await load('/lake');
    const description = /<meta name="description" content="([^"]*)"/.exec(text)![1]!;
    expect(description).toMatch(/^First Light &amp; water &lt;b&gt; word .*word…$/);
    expect(description.replaceAll(/&\w+;/g, '&').length).toBeLessThanOrEqual(160);
    expect(text).toContain('<title>The Lake</title>');
    expect(text).toContain('<meta property="og:type" content="website" />');
    expect(text).toContain(`<link rel="canonical" href="${api.origin}/lake" />`);
    expect(text).toContain(`<meta property="og:image" content="${api.origin}/media/${'a'.repeat(64)}/p.jpg" />`);
  });

  it('are found by search engines at the home address only', async () => {
    const home = await load('/');
    expect(home.data?.endpoint?.path).toBe('/lake');
    expect(home.text).toContain('<meta name="robots" content="index,follow" />');
    expect(home.text).toContain(`<link rel="canonical" href="${api.origin}/" />`);
    for (const path of ['/lake', '/lake/evil', '/nothing', '/members'])
      expect((await load(path)).text).toContain('<meta name="robots" content="noindex,nofollow" />');
  });

  it('security 35: let no name or title run a script', async () => {
    const { text, data } = await load('/lake/evil');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('<title>&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)');
    expect(text.slice(text.indexOf('<script'))).not.toContain('\u2028');
    expect(data?.endpoint?.name).toBe(EVIL);
  });

  it('say what is wrong with an address, with the status that fits', async () => {
    for (const path of ['/nothing', '/lake/nothing', '/a/b/c', '/NOTHING', '/%00', `/${'a'.repeat(300)}`]) {
      const { status, data } = await load(path);
      expect(status, path).toBe(404);
      expect(data).toMatchObject({ endpoint: null, problem: 'This page does not exist.' });
    }
    const { status, data, text } = await load('/members');
    expect(status).toBe(200);
    expect(data).toMatchObject({ endpoint: null, needsCode: true, problem: 'This room requires an access token.' });
    expect(text).not.toContain('alert');
  });

  it('have one address each', async () => {
    const { status, headers } = await load('/lake/?a=b');
    expect([status, headers.get('location')]).toEqual([308, '/lake?a=b']);
    for (const [asked, one] of [
      ['/LAKE', '/lake'],
      ['/Lake/?a=b', '/lake?a=b'],
      ['/lake/evil/', '/lake/evil'],
      ['/Lake/EVIL', '/lake/evil'],
      ['/embed/Lake', '/embed/lake'],
    ] as const) {
      const answer = await load(asked);
      expect([answer.status, answer.headers.get('location')], asked).toEqual([308, one]);
    }
    for (const path of ['//evil.example/', '//evil.example/x/', '/\\evil.example/', '/%2Fevil.example/'])
      expect((await load(path)).status, path).toBe(404);
  });

  it('an organization without structures has a home page that says so', async () => {
    const { statusCode, body } = await api.app.inject({ url: '/', headers: { host: api.two.host! } });
    expect(statusCode).toBe(404);
    expect(body).toContain('<title>There is no room here yet – two.example</title>');
  });

  it('security 37: every answer has a content security policy without inline scripts', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/admin',
      '/admin/editor/1',
      '/api/v1/settings',
      '/api/none',
      '/assets/app-1a2b3c.js',
      '/assets/none',
      '/api/docs/',
    ]) {
      const { headers } = await load(path);
      const policy = headers.get('content-security-policy')!;
      expect(policy, path).toContain("script-src 'self' 'wasm-unsafe-eval';");
      expect(policy).toContain("object-src 'none'; base-uri 'none'; form-action 'self'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('security 38: are framed by the listed sites only, and the back-office by none', async () => {
    const domains = [
      'https://a.example',
      'https://b.example:8443/',
      'https://c.example; script-src *',
      'https://*.d.example',
      'https://u:p@e.example',
      'https://f.example\nX: y',
      "'none'",
      'javascript:x',
    ];
    await api.services.db
      .updateTable('organizations')
      .set({ embed_domains: JSON.stringify(domains.map((domain, id) => ({ id, domain }))) })
      .where('id', '=', api.one.id)
      .execute();
    const ancestors = async (path: string) =>
      /frame-ancestors ([^;]*)$/.exec((await load(path)).headers.get('content-security-policy')!)?.[1];
    for (const path of ['/', '/lake', '/nothing', '/members'])
      expect(await ancestors(path)).toBe("'self' https://a.example https://b.example:8443");
    for (const path of [
      '/admin',
      '/admin/spaces',
      '/ADMIN',
      '/admin?x',
      '/%61dmin',
      '/adm%69n/spaces',
      '/%61%70i/v1/settings',
    ])
      expect(await ancestors(path), path).toBe(
        path === '/ADMIN' ? "'self' https://a.example https://b.example:8443" : "'none'",
      );
    expect(await ancestors('/api/v1/settings')).toBe("'none'");
    expect(await ancestors('/admin/editor/preview/1')).toBe("'none'");
    expect(await ancestors('/admin/editor/preview/1/frame?x')).toBe("'self'");
    expect(await ancestors('/admin/editor/preview/one/frame')).toBe("'none'");
    expect(contentSecurityPolicy(null)).toMatch(/frame-ancestors 'none'$/);
  });

  it('assets are kept for a year, and come compressed', async () => {
    const url = '/assets/app-1a2b3c.js';
    const small = await api.app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(small.statusCode).toBe(200);
    expect(small.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload).toString()).toContain('console.log');
    const plain = await api.app.inject({ url });
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const path of ['/assets/..%2f..%2fenfilade.sqlite', '/assets/none.js', '/assets/'])
      expect((await load(path)).status, path).toBeGreaterThanOrEqual(400);
  });

  it('the sign in the tab is there for what is no page, too', async () => {
    const answer = await fetch(`${api.origin}/favicon.ico`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await answer.text()).toContain('<title>Enfilade</title>');
  });

  it('a phone finds an icon for its home screen, and search engines find what they may read', async () => {
    const icon = await fetch(`${api.origin}/apple-touch-icon.png`);
    const { width, height, format, hasAlpha } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata();
    expect([icon.status, width, height, format, hasAlpha]).toEqual([200, 180, 180, 'png', false]);
    const robots = await fetch(`${api.origin}/robots.txt`);
    expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await robots.text()).toMatch(/^User-agent: \*\nDisallow: \/admin$/m);
  });

  it('what is not there below /api is an error in its form, whatever the method', async () => {
    for (const path of ['/api', '/api/', '/api/v1', '/api/v1/none', '/api/v2/settings'])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, body } = await api.send(method, path);
        expect([status, body.code], `${method} ${path}`).toEqual([404, 'not_found']);
      }
    expect((await api.send('POST', '/lake')).body.code).toBe('not_found');
  });
});

describe('pages behind https', () => {
  it('are absolute under the public address, and kept on https', async () => {
    const api = await ApiApp.start('sqlite', { PUBLIC_URL: 'https://rooms.example.com/' });
    try {
      const room = await api.client().rooms.create({ body: { title: 'A' } });
      await api.client().endpoints.create({ body: { name: 'A', room_id: room.id } });
      const { text, headers } = await api.send('GET', '/a');
      expect(text).toContain('<link rel="canonical" href="https://rooms.example.com/a" />');
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
    } finally {
      await api.close();
    }
  });
});
