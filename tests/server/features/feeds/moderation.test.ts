import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { Challenge, Moderation } from '../../../../src/contract/entities.ts';
import { hasZeroBits, proofInput, proofText } from '../../../../src/contract/proof-of-work.ts';
import { sweepKept } from '../../../../src/server/app/clean-up/sweep-kept.ts';
import { createMailer } from '../../../../src/server/core/mail/mailer.ts';
import { notifyModerators } from '../../../../src/server/features/feeds/jobs.ts';
import { ApiApp, databases, formOf, refused } from '../../../harness/api-app.ts';
import { MailServer } from '../../../harness/mail-server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const panorama = await readFile('fixtures/media/panorama-poster.jpg');

function solve({ challenge, count, bits }: Challenge): number[] {
  return Array.from({ length: count }, (_, index) => {
    let solution = 0;
    while (!hasZeroBits(hash('sha256', proofInput(challenge, index, solution), 'buffer'), bits)) solution++;
    return solution;
  });
}

describe.each(databases)('moderation of a local feed on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  let client: Client;
  let room: number;
  let wall: number;
  beforeAll(async () => {
    mail = await MailServer.start();
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1', SMTP_URL: mail.url });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  let addresses = 0;
  const share = async (fields: Record<string, string>, withPicture = false) => {
    const file = { field: 'file', name: 'me.jpg', content: new Blob([new Uint8Array(panorama)]) };
    const form = formOf({ name: 'Eva', feed_id: String(wall), ...fields }, withPicture ? file : undefined);
    const address = `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;
    return api.call(calls.visit.share, {}, { form, headers: { 'x-forwarded-for': address } });
  };
  const addWall = async (moderation: Partial<Moderation>) => {
    wall = (await client.feeds.create({ body: { name: 'Wall', type: 'local', moderation } })).id;
    await client.rooms.addElement({
      params: { id: room },
      body: { element: 'group', config: { feed_enabled: true, feed_id: wall } },
    });
  };
  const seen = async () =>
    (await api.client({ token: null }).visit.feedItems({ params: { id: wall } })).map(({ message }) => message);
  const listed = async (query: Parameters<Client['feeds']['listItems']>[0] = {}) =>
    (await client.feeds.listItems({ query: { feed_id: String(wall), ...query?.query } })).data;
  beforeEach(async () => {
    client = api.client({ token: await api.signIn(api.one.admin) });
    await addWall({ hold: true });
  });

  it('what waits is told so to its visitor, unseen by others with its image, and shown once it is approved', async () => {
    const { body } = await share({ message: 'First' }, true);
    expect(body.data).toMatchObject({ message: 'First', is_waiting: true, file_url: '' });
    expect(await seen()).toEqual([]);
    const [item] = await listed({ query: { state: 'waiting' } });
    expect(item).toMatchObject({ state: 'waiting', held_because: 'approval', held_word: null });
    const picture = async (token: string | null) =>
      (await api.send('GET', item!.file_url, { ...(token && { headers: { authorization: `Bearer ${token}` } }) }))
        .status;
    api.clock.advance(2001);
    expect([await picture(null), await picture(await api.signIn(api.one.admin))]).toEqual([403, 200]);
    expect(await client.feeds.read({ params: { id: wall } })).toMatchObject({ items_count: 1, waiting_count: 1 });
    expect(await client.feeds.updateItems({ body: { ids: [item!.id], state: 'shown' } })).toEqual({ changed: 1 });
    api.clock.advance(2001);
    expect([await seen(), await picture(null)]).toEqual([['First'], 200]);
    expect(await client.feeds.updateItems({ body: { ids: [item!.id], state: 'hidden' } })).toEqual({ changed: 1 });
    api.clock.advance(2001);
    expect([await seen(), await picture(null)]).toEqual([[], 403]);
    const [last] = (await client.history.list({ query: { entity: 'feed_item', entity_id: String(item!.id) } })).data;
    expect(last).toMatchObject({ action: 'update', before: { state: 'shown' }, after: { state: 'hidden' } });
  });

  it.each([
    ['a word', 'Rubbish', 'what RUBBISH!', true],
    ['accents and case', 'cafe', 'Meet me in the CAFÉ', true],
    ['a name', 'eva', 'Hello', true],
    ['a group of words', 'buy  now', 'Please\nbuy — now', true],
    ['signs that nobody sees', 'rubbish', 'rub\u200bbish', true],
    ['a part of a word', 'rub', 'rubbish', false],
    ['other words between', 'buy now', 'buy it now', false],
  ])('a blocked word holds a message: %s', async (_, word, message, isHeld) => {
    await addWall({ blocked_words: [word] });
    expect((await share({ message })).body.data.is_waiting).toBe(isHeld);
    expect((await listed())[0]).toMatchObject(
      isHeld ? { held_because: 'word', held_word: word.trim() } : { state: 'shown' },
    );
  });

  it('what is removed is in the bin: restored as it was, from there and from the list, or gone for good', async () => {
    await share({ message: 'One' }, true);
    await share({ message: 'Two' });
    const ids = (await listed()).map(({ id }) => id);
    expect(await client.feeds.removeItems({ body: { ids } })).toEqual({ changed: 2 });
    expect(await client.feeds.removeItems({ body: { ids } })).toEqual({ changed: 0 });
    expect([await listed(), (await listed({ query: { state: 'removed' } })).length]).toEqual([[], 2]);
    const inBin = async () => (await client.bin.list({ query: { entity: 'feed_item' } })).data;
    const [entry] = await inBin();
    await client.history.restore({ params: { id: entry!.id } });
    expect((await listed()).map(({ id, state }) => [id, state])).toEqual([[entry!.entity_id, 'waiting']]);
    expect(await client.feeds.restoreItems({ body: { ids } })).toEqual({ changed: 1 });
    expect(await inBin()).toEqual([]);
    await client.feeds.removeItems({ body: { ids: [ids[0]!] } });
    const { emptied } = await client.bin.empty({ body: { ids: [(await inBin())[0]!.id] } });
    expect([emptied, (await refused(client.feeds.restoreItems({ body: { ids: [ids[0]!] } }))).code]).toEqual([
      1,
      'not_found',
    ]);
    await client.feeds.removeItems({ body: { ids: [ids[1]!] } });
    api.clock.advance(31 * DAY);
    await sweepKept(api.services);
    client = api.client({ token: await api.signIn(api.one.admin) });
    expect(await listed({ query: { state: 'removed' } })).toEqual([]);
    expect((await client.media.list({ query: { search: 'me.jpg' } })).data).toHaveLength(1);
  });

  it('is found by words, state and order', async () => {
    for (const name of ['Bo', 'Al', 'Cy']) {
      await share({ name, message: `I am ${name}` });
      api.clock.advance(1000);
    }
    const names = async (query: object) => (await listed({ query })).map(({ name }) => name);
    expect(await names({})).toEqual(['Cy', 'Al', 'Bo']);
    expect(await names({ sort: 'oldest' })).toEqual(['Bo', 'Al', 'Cy']);
    expect(await names({ sort: 'name' })).toEqual(['Al', 'Bo', 'Cy']);
    expect(await names({ search: 'am bo' })).toEqual(['Bo']);
    expect(await names({ state: 'hidden' })).toEqual([]);
  });

  it('of another organization is neither listed nor changed; feeds of other types are not moderated', async () => {
    await share({ message: 'Mine' });
    const ids = (await listed()).map(({ id }) => id);
    const other = api.client({ token: await api.signIn(api.two.admin) });
    expect((await other.feeds.listItems({ query: { feed_id: String(wall) } })).data).toEqual([]);
    for (const call of [
      () => other.feeds.updateItems({ body: { ids, state: 'shown' } }),
      () => other.feeds.removeItems({ body: { ids } }),
      () => other.feeds.restoreItems({ body: { ids } }),
    ])
      expect((await refused(call())).code).toBe('not_found');
    const body = { name: 'Pictures', type: 'instagram' as const, moderation: { hold: true } };
    expect((await refused(client.feeds.create({ body }))).msg.moderation).toBeDefined();
    const wrong = { name: 'W', type: 'local' as const, moderation: { notify: ['nobody'] } };
    expect((await refused(client.feeds.create({ body: wrong }))).code).toBe('invalid');
  });

  describe('who is told', () => {
    const telling = () => ({
      ...api.services,
      mail: createMailer(api.services.settings, api.clock),
      publicUrl: () => api.origin,
    });

    it('gets one e-mail in 15 minutes, and one for what came meanwhile', async () => {
      await addWall({ hold: true, notify: ['kim@example.com', 'lee@example.com'] });
      const before = mail.received.length;
      const count = () => mail.received.length - before;
      await Promise.all([share({ message: '1' }), share({ message: '2' })]);
      await expect.poll(count).toBe(2);
      api.clock.advance(14 * MINUTE);
      await share({ message: '3' });
      await notifyModerators(telling());
      expect(count()).toBe(2);
      api.clock.advance(2 * MINUTE);
      await Promise.all([notifyModerators(telling()), notifyModerators(telling())]);
      expect(count()).toBe(4);
      api.clock.advance(20 * MINUTE);
      await notifyModerators(telling());
      expect(count()).toBe(4);
      expect(mail.received.at(-1)!.source).toContain(`/admin/settings/shares?feed=`);
    });
  });

  describe('the proof of work', () => {
    const ask = () => api.client({ token: null }).visit.shareChallenge({ query: { feed_id: String(wall) } });
    const prove = async () => {
      const challenge = await ask();
      return proofText(challenge.challenge, solve(challenge));
    };
    beforeEach(() => addWall({ hold_unproven: true }));

    it('lets a message be shown at once; what comes without one waits where the feed says so', async () => {
      expect((await share({ message: 'Bare' })).body.data.is_waiting).toBe(true);
      expect((await share({ message: 'Proven', proof: await prove() })).body.data.is_waiting).toBe(false);
      expect(await seen()).toEqual(['Proven']);
      expect((await listed({ query: { state: 'waiting' } }))[0]).toMatchObject({ held_because: 'proof' });
    });

    it('counts once, however many come at the same moment, for its feed, in its time, and solved', async () => {
      const proof = await prove();
      const answers = await Promise.all([1, 2, 3, 4].map(() => share({ message: 'Same', proof })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
      const late = await prove();
      const challenge = await ask();
      const wrong = [
        proofText(challenge.challenge, [0, 0, 0, 0]),
        proofText(challenge.challenge, solve(challenge).slice(1)),
        `${challenge.challenge.slice(0, -3)}abc:1,2,3,4`,
        'nothing',
        `x:${'1,'.repeat(300)}1`,
        '\0',
      ];
      for (const text of wrong) expect((await share({ message: 'x', proof: text })).status, text).toBe(422);
      const first = wall;
      await addWall({});
      expect((await share({ message: 'Elsewhere', proof: late })).status).toBe(422);
      wall = first;
      api.clock.advance(10 * MINUTE);
      expect((await share({ message: 'Late', proof: late })).status).toBe(422);
    });

    it('is harder the more is shared, and in a crowd what comes without one waits in any feed', async () => {
      await addWall({});
      const { bits } = await ask();
      for (let count = 0; count < 30; count++) expect((await share({ message: 'x' })).body.data.is_waiting).toBe(false);
      expect((await ask()).bits).toBeGreaterThan(bits);
      expect((await share({ message: 'Too many' })).body.data.is_waiting).toBe(true);
      api.clock.advance(11 * MINUTE);
      expect((await ask()).bits).toBe(bits);
      expect((await share({ message: 'Later' })).body.data.is_waiting).toBe(false);
    });

    it('is asked for no feed that the visitor may not share to', async () => {
      const { id } = await client.feeds.create({ body: { name: 'Unused', type: 'local' } });
      const query = { feed_id: String(id) };
      expect((await refused(api.client({ token: null }).visit.shareChallenge({ query }))).code).toBe('not_found');
    });
  });
});
