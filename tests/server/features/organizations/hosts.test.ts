import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { normalizeHost } from '../../../../src/server/features/organizations/queries.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { zipOf } from '../../../harness/zip.ts';
import { VisitorSocket } from '../../pages/realtime/visitor-socket.ts';

test.each([
  ['C.Test', 'c.test'],
  ['c.test.', 'c.test'],
  ['c.test:8080', 'c.test'],
  ['C.TEST.:80', 'c.test'],
  [' rooms.example.com ', 'rooms.example.com'],
  ['München.example', 'xn--mnchen-3ya.example'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['localhost', 'localhost'],
  ['127.0.0.1:4000', '127.0.0.1'],
  ['[::1]:8080', '[::1]'],
  ['my_host', 'my_host'],
])('the host name %j is kept as %j', (text, host) => {
  expect(normalizeHost(text)).toBe(host);
});

test.each([
  '',
  '.',
  '..',
  'a..b',
  'http://c.test',
  'c.test/path',
  'a b',
  'c.test:99999',
  'c.test:x',
  'a@b',
  '*.example.com',
  'x'.repeat(64),
  `${'a.'.repeat(130)}test`,
  'a\u0000b',
])('%j is no host name', (text) => {
  expect(normalizeHost(text)).toBeNull();
});

describe.each(databases)('organizations by host on %s', (kind) => {
  let api: ApiApp;
  let script: string;
  let page: string;
  let picture: string;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    const zip = zipOf([
      { name: 'index.html', content: '<!doctype html><script src="run.js"></script>' },
      { name: 'run.js', content: 'document.title = "ran";' },
    ]);
    const { media } = api.client(api.two.admin);
    page = (await media.upload({ body: {}, files: { file: new File([new Uint8Array(zip)], 'tour.zip') } })).url;
    script = page.replace(/index\.html$/, 'run.js');
    const words = new File(['WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'], 'words.vtt');
    picture = (await media.upload({ body: {}, files: { file: words } })).url;
  });
  afterEach(() => hostOfOne(null));
  afterAll(() => api.close());

  const hostOfOne = (host: string | null) =>
    api.services.db.updateTable('organizations').set({ host }).where('id', '=', api.one.id).execute();
  const ask = (host: string, url: string, token?: string) =>
    api.app.inject({ url, headers: { host, ...(token && { authorization: `Bearer ${token}` }) } });
  const nameUnder = async (host: string) => (await ask(host, '/api/v1/settings')).json().data.name;

  it.each(['TWO.example', 'two.example.', 'Two.Example:8080'])(
    'finds an organization under %s, however it is spelled',
    async (host) => {
      expect(await nameUnder(host)).toBe('two.example');
    },
  );

  it('an unknown host stands for the organization that has none of its own', async () => {
    expect(await nameUnder('anything.example')).toBe('Museum');
  });

  it('where each of several has its own, an unknown host is answered 421 everywhere', async () => {
    await hostOfOne('one.example');
    const { token } = api.one.admin;
    const { hostname } = new URL(api.origin);
    for (const host of [
      'anything.example',
      'sub.one.example',
      hostname,
      'localhost',
      'one.example.evil.test',
      '[::1]',
    ]) {
      for (const url of ['/api/v1/settings', '/api/v1/endpoints', '/api/v1/nothing', picture, page]) {
        const answer = await ask(host, url);
        expect([answer.statusCode, answer.json().code], url).toEqual([421, 'misdirected']);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
      // Who is signed in comes under a host of the server as well, or not at all.
      expect((await ask(host, '/api/v1/backend/rooms', token)).statusCode).toBe(421);
      for (const url of [
        '/',
        '/hall',
        '/hall?text',
        '/embed/hall',
        '/embed.js',
        '/favicon.ico',
        '/admin',
        '/assets/app-1a2b3c.js',
        '/a/b/c',
      ]) {
        const answer = await ask(host, url);
        expect([answer.statusCode, answer.body], url).toEqual([421, 'No organization uses this host name.\n']);
      }
      const post = await api.app.inject({ method: 'POST', url: '/hall?text', headers: { host } });
      expect(post.statusCode).toBe(421);
      // What watches the server asks under whatever name it has.
      for (const url of ['/healthz', '/readyz']) expect((await ask(host, url)).statusCode, url).toBe(200);
      // Measures may be for the token only, under a name that is not this machine's own.
      expect((await ask(host, '/metrics')).statusCode).not.toBe(421);
    }
    expect(await nameUnder('one.example')).toBe('Museum');
    expect(await nameUnder('two.example')).toBe('two.example');
    const opening = { key: 'x', host: 'anything.example' };
    await expect(VisitorSocket.open(api.origin, opening)).rejects.toThrow('421');
  });

  it('where there is only one organization, it has every host', async () => {
    const alone = await ApiApp.start(kind);
    try {
      const { db } = alone.services;
      await db.deleteFrom('organizations').where('id', '=', alone.two.id).execute();
      await db.updateTable('organizations').set({ host: 'one.example' }).execute();
      for (const host of ['one.example', 'anything.example'])
        expect((await alone.app.inject({ url: '/api/v1/settings', headers: { host } })).json().data.name).toBe(
          'Museum',
        );
      await db.deleteFrom('organizations').execute();
      expect((await alone.app.inject({ url: '/api/v1/settings' })).statusCode).toBe(404);
    } finally {
      await alone.close();
    }
  });

  it('whoever is signed in gets their own organization’s, under whichever host; nobody else’s', async () => {
    await api.client(api.two.admin).rooms.create({ body: { title: 'Room of two' } });
    await api.client(api.one.admin).rooms.create({ body: { title: 'Room of one' } });
    await hostOfOne('one.example');
    const titles = async (host: string, token: string) => {
      const answer = await ask(host, '/api/v1/backend/rooms', token);
      return answer.json().data.map(({ title }: { title: string }) => title);
    };
    for (const host of ['one.example', 'two.example']) {
      expect(await titles(host, api.two.admin.token)).toEqual(['Room of two']);
      expect(await titles(host, api.one.admin.token)).toEqual(['Room of one']);
      // What is public goes by the host alone, whoever asks.
      const { json } = await ask(host, '/api/v1/settings', api.two.admin.token);
      expect(json().data.name).toBe(host === 'one.example' ? 'Museum' : 'two.example');
    }
    const active = await ask('one.example', '/api/v1/backend/users/active', api.two.admin.token);
    // The cookie is of the host that set it: it names no domain.
    expect(String(active.headers['set-cookie'])).not.toMatch(/domain/i);
  });

  it('an uploaded page and its scripts are there under their own organization’s host only', async () => {
    await hostOfOne('one.example');
    for (const url of [page, script, `${script}?v=1`]) {
      expect((await ask('two.example', url)).statusCode, url).toBe(200);
      expect((await ask('one.example', url)).statusCode, url).toBe(404);
      // Also for those who uploaded it: the script would pass for the other organization's own.
      expect((await ask('one.example', url, api.two.admin.token)).statusCode, url).toBe(404);
    }
    // What cannot run may be had by its hash, as before.
    for (const host of ['one.example', 'two.example']) expect((await ask(host, picture)).statusCode).toBe(200);
  });

  it('what runs and is in the libraries of two organizations runs under both hosts', async () => {
    await hostOfOne('one.example');
    const row = await api.services.db
      .selectFrom('media')
      .selectAll()
      .where('organization_id', '=', api.two.id)
      .where('type', '=', 'site')
      .executeTakeFirstOrThrow();
    const { id: _, ...values } = row;
    await api.services.db
      .insertInto('media')
      .values({ ...values, organization_id: api.one.id, user_id: null })
      .execute();
    expect((await ask('one.example', script)).statusCode).toBe(200);
    await api.services.db.deleteFrom('media').where('organization_id', '=', api.one.id).execute();
    expect((await ask('one.example', script)).statusCode).toBe(404);
  });
});
