import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { Moderation } from '../../../../src/contract/entities.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('forms to share on text pages on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let rooms = 0;
  let image: File;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const create = { width: 8, height: 6, channels: 3 as const, background: '#336699' };
    image = new File([await sharp({ create }).png().toBuffer()], 'dog.png');
  });
  afterAll(() => api.close());

  /** A room that shares to a feed of its own. */
  const addWall = async (moderation: Partial<Moderation> = {}, endpoint: { is_protected?: boolean } = {}) => {
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local', moderation } });
    const room = await client.rooms.create({ body: { title: 'Lobby' } });
    const type_config = { feed_id: feed.id, success_message: 'On the wall.' };
    const navigation = { type: 'modal_share' as const, type_config };
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      client.rooms.addElement({ params: { id: room.id }, body });
    await add({ element: 'button', config: { title: 'Write', navigation } });
    await add({ element: 'group', config: { feed_enabled: true, feed_id: feed.id } });
    const slug = `lobby-${++rooms}`;
    const { id } = await client.endpoints.create({ body: { name: 'Lobby', slug, room_id: room.id, ...endpoint } });
    return { path: `/${slug}?text`, share: `/${slug}?text&share=${feed.id}`, feed: feed.id, endpoint: id };
  };
  const formOf = (name: string, message: string, file = new File([], '')) => {
    const form = new FormData();
    for (const [key, value] of Object.entries({ name, message, file })) form.append(key, value);
    return form;
  };
  const send = (path: string, form: FormData, headers = {}) => api.send('POST', path, { form, headers });
  const messagesOf = async (feed: number) =>
    (await client.feeds.listItems({ query: { feed_id: feed } })).data.map(({ name, message, file_url, state }) => ({
      ...{ name, message, state },
      hasImage: file_url !== '',
    }));

  it('the text page leads to the form, and a sent message with an image appears on it', async () => {
    const { path, share, feed } = await addWall();
    const [, query] = share.split('?');
    expect((await api.send('GET', path)).text).toContain(`<a href="?${query!.replaceAll('&', '&amp;')}">Write</a>`);
    const form = await api.send('GET', share);
    expect(form.status).toBe(200);
    expect(form.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const part of ['<label for="name">Your name', '<label for="message">Your message', '<label for="file">Image'])
      expect(form.text).toContain(part);
    const sent = await send(share, formOf('Kim', 'One\r\n<b>two</b>', image));
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `${share.slice(share.indexOf('?'))}&received=shown`,
    ]);
    const thanks = await api.send('GET', `${share}&received=shown`);
    expect(thanks.text).toContain('<p role="status">On the wall.</p>');
    expect(thanks.text).not.toContain('<form');
    expect(await messagesOf(feed)).toEqual([
      { name: 'Kim', message: 'One\n<b>two</b>', hasImage: true, state: 'shown' },
    ]);
    expect((await api.send('GET', path)).text).toContain('&lt;b&gt;two&lt;/b&gt;');
  });

  it('a field without a chosen file counts as none', async () => {
    const { share, feed } = await addWall();
    expect((await send(share, formOf('Lee', 'Hello'))).status).toBe(303);
    expect(await messagesOf(feed)).toEqual([{ name: 'Lee', message: 'Hello', hasImage: false, state: 'shown' }]);
  });

  it('a message without a proof of work is held where the feed asks for one', async () => {
    const { share, feed } = await addWall({ hold_unproven: true });
    const sent = await send(share, formOf('Lee', 'Hello'));
    expect(sent.headers.get('location')).toContain('&received=waiting');
    expect((await api.send('GET', `${share}&received=waiting`)).text).toContain(
      'On the wall. Your message will appear once it is approved.',
    );
    expect(await messagesOf(feed)).toMatchObject([{ state: 'waiting' }]);
  });

  it.each([
    ['nothing', 'Ann', ' ', undefined, 422, 'Write a message, or choose an image.'],
    ['no name', '', 'Hello', undefined, 422, 'Enter your name.'],
    ['too much', 'Ann', 'x'.repeat(2001), undefined, 422, 'Use at most 2,000 characters.'],
    ['a file that is no image', 'Ann', 'Hello', new File(['no'], 'a.png'), 415, ''],
  ])(
    'security 35: %s is refused with a reason, and what was typed stays',
    async (_, name, message, file, status, why) => {
      const { share, feed } = await addWall();
      const answer = await send(share, formOf(name, message, file));
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(/<p class="wrong" role="alert" id="problem">[^<]+<\/p>/);
      expect(answer.text).toContain(why);
      expect(answer.text).toContain(`value="${name}"`);
      expect(answer.text).toContain(`rows="6" maxlength="2000" aria-describedby="problem">\n${message}</textarea>`);
      expect(await messagesOf(feed)).toEqual([]);
    },
  );

  it('reasons and labels are in the language of the page', async () => {
    const { share } = await addWall();
    const answer = await send(`${share}&lang=de`, formOf('Ann', ''));
    expect(answer.text).toContain('Schreiben Sie eine Nachricht');
    expect(answer.text).toContain('Ihr Name');
  });

  it('security 17: a protected room takes messages of its visitors only', async () => {
    const { path, share, feed, endpoint } = await addWall({}, { is_protected: true });
    const closed = await send(share, formOf('Kim', 'Hello'));
    expect([closed.status, closed.text.includes('Enter your code')]).toEqual([400, true]);
    const { token } = await client.accessTokens.create({ body: { endpoint_id: endpoint } });
    const entered = await api.send('POST', path, {
      body: `code=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!;
    expect((await send(share, formOf('Kim', 'Hello'), { cookie })).status).toBe(303);
    expect(await messagesOf(feed)).toHaveLength(1);
  });

  it('feeds that the room does not share to have no form, and take no message', async () => {
    const { path, share } = await addWall();
    const hidden = await client.feeds.create({ body: { name: 'Hidden', type: 'local' } });
    const other = `${path}&share=${hidden.id}`;
    expect((await api.send('GET', other)).text).not.toContain('<form');
    expect((await send(other, formOf('Kim', 'Hello'))).status).toBe(404);
    expect(await messagesOf(hidden.id)).toEqual([]);
    const foreign = await send(share, formOf('Kim', 'Hello'), { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
  });

  it('many messages from one network are refused, with the time to wait', async () => {
    const { share, feed } = await addWall();
    let answer = await send(share, formOf('Kim', 'Hello'));
    for (let count = 0; answer.status === 303 && count < 200; count++)
      answer = await send(share, formOf('Kim', 'Hello'));
    expect(answer.status).toBe(429);
    expect(answer.text).toContain('role="alert"');
    expect(answer.text).toContain('>\nHello</textarea>');
    expect((await messagesOf(feed)).length).toBeGreaterThan(0);
  });
});
