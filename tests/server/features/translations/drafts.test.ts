import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import type { Reply } from '../../../harness/stand-ins/stand-in.ts';
import { Translator } from '../../../harness/stand-ins/translator.ts';

const DESCRIPTION = '<p>Ships &amp; <b>boats</b></p>';

describe.each(databases)('machine drafts of translations on %s', (kind) => {
  let api: ApiApp;
  let translator: Translator;
  beforeAll(async () => {
    translator = await new Translator().start();
    api = await ApiApp.start(kind, {}, { allowed: [new URL(translator.url).host] });
    const { secret } = await api.client().translationWebhook.update({ body: { url: `${translator.url}/translate` } });
    translator.secret = secret!;
  });
  afterEach(() => {
    translator.reply = null;
    translator.seen.splice(0);
    expect(translator.wrong.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await api.close();
    await translator.stop();
  });

  const furnish = async () => {
    const client = api.client();
    const config = { language: 'en', languages: ['nl'] };
    const room = await client.rooms.create({ body: { title: 'Harbour', description: DESCRIPTION, config } });
    const params = { id: room.id };
    const image = await client.rooms.addElement({
      params,
      body: { element: 'image', name: 'Boat', config: { title: 'Boat' } },
    });
    const draft = (body: object = {}, user = api.one.admin) =>
      api.client(user).translations.draft({ params, body: { language: 'nl', ...body } });
    const translations = async () => (await client.rooms.read({ params })).config.translations ?? {};
    return { client, params, image, draft, translations };
  };

  it('are asked for with a signed request, stored at once with their mark and origin, and confirmed', async () => {
    const { client, params, image, draft, translations } = await furnish();
    expect(await draft({ apply: false })).toMatchObject({ counts: { drafted: 0, left: 3 }, seq: null });
    expect(translator.seen).toEqual([]);
    const { seq, counts } = await draft();
    expect(counts).toEqual({ drafted: 3, refused: 0, left: 0 });
    const [{ method, path, json, headers }] = translator.seen as [(typeof translator.seen)[0]];
    expect([method, path, headers['content-type']]).toEqual(['POST', '/translate', 'application/json']);
    expect(json).toEqual({
      source_language: 'en',
      target_language: 'nl',
      texts: [
        { id: 'space.title', text: 'Harbour', format: 'plain' },
        { id: 'space.description', text: DESCRIPTION, format: 'html' },
        { id: `element-${image.id}.config.title`, text: 'Boat', format: 'plain' },
      ],
    });
    const log = await client.rooms.log({ params });
    expect(log.entries.at(-1)).toMatchObject({ seq, origin: 'translation' });
    expect(await translations()).toEqual({
      'nl:title': { text: 'HARBOUR', source: hashOfText('Harbour'), draft: true },
      'nl:description': { text: Translator.translated(DESCRIPTION), source: hashOfText(DESCRIPTION), draft: true },
    });
    // Nothing is left to translate, so nothing is sent.
    translator.seen.splice(0);
    expect(await draft({ outdated: true })).toMatchObject({ counts: { drafted: 0, left: 0 }, seq: null });
    expect(translator.seen).toEqual([]);
  });

  it('leave what people translated, and replace outdated translations on request', async () => {
    const { client, params, draft, translations } = await furnish();
    const own = { text: 'Haven', source: hashOfText('Harbour') };
    await client.rooms.update({ params, body: { config: { translations: { 'nl:title': own } } } });
    expect(await draft()).toMatchObject({ counts: { drafted: 2 } });
    expect((await translations())['nl:title']).toEqual(own);
    await client.rooms.update({ params, body: { title: 'Port' } });
    expect(await draft()).toMatchObject({ counts: { drafted: 0 } });
    expect(await draft({ outdated: true })).toMatchObject({ counts: { drafted: 1 } });
    expect((await translations())['nl:title']).toEqual({ text: 'PORT', source: hashOfText('Port'), draft: true });
  });

  it('are sanitized like the texts; those that do not fit are left out', async () => {
    const { draft, translations } = await furnish();
    const texts = ['H'.repeat(300), '<p onclick="x()">A<script>x()</script></p>', ''];
    translator.reply = (sent) => ({
      json: {
        translations: sent.texts.map(({ id }, at) => ({ id, text: texts[at] })),
        more: { of: ['the', 'service'] },
      },
    });
    const { counts, refused: left } = await draft();
    expect(counts).toEqual({ drafted: 1, refused: 2, left: 0 });
    expect(left.map(({ message }) => message).sort()).toEqual([
      'The webhook returned no text.',
      'Use at most 255 characters.',
    ]);
    expect(Object.entries(await translations())).toEqual([
      ['nl:description', expect.objectContaining({ text: '<p>A</p>' })],
    ]);
  });

  it('travel in parts of a hundred texts; a text that changes in the meantime waits', async () => {
    const { client, params, draft } = await furnish();
    const elements = Array.from({ length: 105 }, (_, at) => ({
      type: 'element.add' as const,
      element: { id: -1 - at, element: 'image' as const, name: 'Ship', config: { title: `Ship ${at}` } },
    }));
    await client.rooms.commit({ params, body: { client: 'test', mutation: 1, commands: elements } });
    let isFirst = true;
    translator.beforeAnswer = async () => {
      if (isFirst) await client.rooms.update({ params, body: { title: 'Port' } });
      isFirst = false;
    };
    const { counts } = await draft();
    translator.beforeAnswer = () => {};
    expect(translator.seen.map(({ json }) => json.texts.length).sort()).toEqual([100, 8]);
    expect(counts).toEqual({ drafted: 107, refused: 0, left: 1 });
  });

  it('of a failing or hostile webhook change nothing', async () => {
    const { draft } = await furnish();
    const json =
      (make: (texts: { id: string }[]) => unknown): typeof translator.reply =>
      (sent) => ({ json: { translations: make(sent.texts) } });
    const replies: [string, RegExp, (typeof translator)['reply']][] = [
      ['a status', /status 500/, (): Reply => ({ status: 500 })],
      ['a redirect', /status 302/, (): Reply => ({ status: 302, headers: { location: translator.url } })],
      ['a page', /not JSON/, (): Reply => ({ headers: { 'content-type': 'text/html' }, json: '<p>Hi</p>' })],
      ['half a text', /not valid JSON/, (): Reply => ({ json: '{"translations": [' })],
      ['depth', /not valid JSON/, (): Reply => ({ json: '['.repeat(500_000) })],
      ['size', /larger than 2 MB/, (): Reply => ({ json: { translations: [], more: 'x'.repeat(3_000_000) } })],
      ['another shape', /invalid at translations/, (): Reply => ({ json: { texts: [] } })],
      ['a number', /invalid at translations\.0\.text/, json((texts) => texts.map(({ id }) => ({ id, text: 1 })))],
      ['an endless text', /translations\.0\.text/, json(([one]) => [{ id: one!.id, text: 'x'.repeat(200_001) }])],
      ['another id', /not sent/, json((texts) => [...texts, { id: 'x' }].map(({ id }) => ({ id, text: 'A' })))],
      ['an id twice', /twice/, json((texts) => [...texts, texts[0]!].map(({ id }) => ({ id, text: 'A' })))],
      ['a missing id', /lacks/, json(([one]) => [{ id: one!.id, text: 'A' }])],
      ['no response', /couldn't be reached/, (): Reply => ({ cut: true })],
    ];
    const before = await api.dump();
    for (const [name, message, reply] of replies) {
      translator.reply = reply;
      const problem = await refused(draft());
      expect([name, problem.code, problem.message]).toEqual([name, 'provider_failed', expect.stringMatching(message)]);
      expect(problem.message).toContain('Nothing was translated.');
    }
    expect(await api.dump()).toBe(before);
  });

  it('need the right to edit, a webhook, and another language', async () => {
    const { draft, params } = await furnish();
    const policies = { ...allPolicies(), rooms: { ...allPolicies().rooms, update: false } };
    const reader = await api.addUser(api.one, policies);
    await api.signIn(reader);
    expect(await refused(draft({}, reader))).toMatchObject({ code: 'forbidden' });
    expect(await refused(draft({ language: 'en' }))).toMatchObject({ code: 'invalid', msg: { language: [/main/] } });
    const other = api.client(api.two.admin);
    expect(await refused(other.translations.draft({ params, body: { language: 'nl' } }))).toMatchObject({
      code: 'not_found',
    });
    const { id } = await other.rooms.create({ body: { title: 'Harbour' } });
    expect(await refused(other.translations.draft({ params: { id }, body: { language: 'nl' } }))).toMatchObject({
      code: 'not_set_up',
      message: expect.stringContaining('Settings, Translation'),
    });
    expect(translator.seen).toEqual([]);
  });

  it('come from a webhook whose secret is returned once, rotates, and leaves no trace', async () => {
    const { translationWebhook, history } = api.client();
    expect(await translationWebhook.read()).toEqual({
      id: api.one.id,
      url: `${translator.url}/translate`,
      updated_at: expect.any(String),
    });
    expect(await translationWebhook.test()).toEqual({
      works: true,
      text: 'The webhook works: “Good morning” is “GOOD MORNING” in Dutch.',
    });
    const { secret } = await translationWebhook.rotate();
    expect(secret).not.toBe(translator.secret);
    expect(await translationWebhook.test()).toMatchObject({
      works: false,
      text: expect.stringContaining('status 400'),
    });
    translator.wrong.splice(0);
    translator.secret = secret;
    expect(await translationWebhook.test()).toMatchObject({ works: true });
    const moved = await translationWebhook.update({ body: { url: `${translator.url}/moved` } });
    expect(moved.secret).toBeNull();
    expect(await refused(translationWebhook.update({ body: { url: 'http://127.0.0.1:1/' } }))).toMatchObject({
      msg: { url: [/public IP address/] },
    });
    const stale = { url: `${translator.url}/late`, updated_at: '2020-01-01T00:00:00.000Z' };
    expect(await refused(translationWebhook.update({ body: stale }))).toMatchObject({ code: 'stale' });
    const [entry] = (await history.list()).data;
    expect(entry).toMatchObject({ entity: 'organization', after: { translation_webhook: `${translator.url}/moved` } });
    expect(await api.dump()).not.toContain(secret);
    await translationWebhook.update({ body: { url: null } });
    expect(await refused(translationWebhook.test())).toMatchObject({ code: 'not_set_up' });
    const again = await translationWebhook.update({ body: { url: `${translator.url}/translate` } });
    translator.secret = again.secret!;
    expect(await translationWebhook.test()).toMatchObject({ works: true });
  });
});
