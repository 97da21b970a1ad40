import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { flatRoom, nestedRoom, type Room } from '../../../../engine/document/room.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { PublicRoom } from '../../../../src/contract/entities.ts';
import { VISITOR_EDITS_CLOSE } from '../../../../src/contract/visitor-edits.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { EditsSocket } from '../../../harness/edits-socket.ts';

/** A room without what tells the moment at which it was read. */
const content = ({ timestamp_current, timestamp_start_of_day, timestamp_end_of_day, tag, ...room }: PublicRoom): Room =>
  flatRoom(room);

describe.each(databases)('edits of a room that is visited, on %s', (kind) => {
  let api: ApiApp;
  let room: number;
  let slug: string;
  let structure: number;
  let turn = 0;
  const sockets: EditsSocket[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    room = (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
    const made = await api.client().endpoints.create({ body: { name: `Hall ${++turn}`, room_id: room } });
    ({ slug, id: structure } = made);
  });
  afterEach(() => {
    for (const { ws } of sockets.splice(0)) ws.terminate();
  });
  afterAll(() => api.close());

  const visit = async (token: string | null = null): Promise<PublicRoom> =>
    (await api.client({ token }).visit.one({ params: { slugOne: slug } })).room!;
  const open = async (tag: string, token: string | null = null) => {
    const socket = await EditsSocket.connect(api.origin);
    sockets.push(socket);
    socket.send({ path: `/${slug}`, token, tag });
    return socket;
  };
  /** Follows a room that the server has read for a page before: what is edited from now on is a step. */
  const follow = async (shown: PublicRoom, token: string | null = null) => {
    const reader = await open('', token);
    await expect.poll(() => reader.heard.at(0)?.type).toBe('reload');
    return open(shown.tag!, token);
  };
  const add = (name: string, more = {}) =>
    api.client().rooms.addElement({ params: { id: room }, body: { element: 'text', name, ...more } });
  const hide = (id: number, hidden: boolean) => api.client().elements.update({ params: { id }, body: { hidden } });
  /** Until a page that showed a room then shows what the API gives now. */
  const arrives = async (socket: EditsSocket, then: PublicRoom) => {
    const now = await visit();
    await expect.poll(() => socket.shown(then)?.tag).toBe(now.tag);
    expect(content(nestedRoom(socket.shown(then)!.room) as PublicRoom)).toEqual(content(now));
  };

  it('reach its visitors as commands that make the room of them that the API gives, and nothing that is hidden', async () => {
    const before = await visit();
    const socket = await follow(before);
    const { id: group } = await api
      .client()
      .rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Wall' } });
    const { id: shown } = await add('Shown', { config: { text: '<p>Hello</p>' } });
    await arrives(socket, before);
    const { id: secret } = await add('Secret plan');
    await hide(secret, true);
    await api.client().elements.update({ params: { id: shown }, body: { parent_element_id: group, position_x: 30 } });
    await arrives(socket, before);
    await hide(group, true);
    await arrives(socket, before);
    await hide(group, false);
    await api.client().elements.remove({ params: { id: shown } });
    await api.client().rooms.update({ params: { id: room }, body: { title: 'Court' } });
    await arrives(socket, before);
    expect(socket.heard.length).toBeGreaterThan(3);
  });

  it('an element that was always hidden is never told of', async () => {
    const before = await visit();
    const socket = await follow(before);
    await add('Secret plan', { hidden: true });
    await add('Shown');
    await arrives(socket, before);
    expect(JSON.stringify(socket.heard)).not.toContain('Secret plan');
  });

  it('a page that comes late gets what it missed; one whose state is not known reads the room again', async () => {
    const before = await visit();
    const watcher = await follow(before);
    for (const name of ['One', 'Two', 'Three']) {
      await add(name);
      await arrives(watcher, before);
    }
    const late = await follow(before);
    await arrives(late, before);
    const lost = await open('of long ago');
    await expect.poll(() => lost.heard).toMatchObject([{ type: 'reload', to: (await visit()).tag }]);
  });

  it('another space in the same structure is read anew; a new publication is told of like an edit', async () => {
    const before = await visit();
    const socket = await follow(before);
    await add('Draft');
    await arrives(socket, before);
    await api.client().publications.publish({ params: { id: room }, body: {} });
    await api.client().endpoints.update({ params: { id: structure }, body: { shows: 'published' } });
    const published = await visit();
    const other = await follow(published);
    await add('After publication');
    expect((await visit()).tag).toBe(published.tag);
    await api.client().publications.publish({ params: { id: room }, body: {} });
    await arrives(other, published);
    expect(JSON.stringify(other.heard)).toContain('After publication');
    const { id: second } = await api.client().rooms.create({ body: { title: 'Second' } });
    await api.client().endpoints.update({ params: { id: structure }, body: { room_id: second, shows: 'edited' } });
    await expect.poll(() => other.heard.at(-1)?.type).toBe('reload');
  });

  it('reach those who came before the structure got another address', async () => {
    const before = await visit();
    const socket = await follow(before);
    await add('First');
    await arrives(socket, before);
    const old = slug;
    ({ slug } = await api.client().endpoints.update({ params: { id: structure }, body: { slug: `${slug}-anew` } }));
    await add('Sign');
    await arrives(socket, before);
    const late = await EditsSocket.connect(api.origin);
    sockets.push(late);
    late.send({ path: `/${old}`, token: null, tag: before.tag });
    await arrives(late, before);
  });

  it('security 70: go to who may enter only, and end when that ends', async () => {
    const params = { id: structure };
    await api.client().endpoints.update({ params, body: { is_protected: true } });
    const guest = await open('');
    expect(await guest.closed).toBe(VISITOR_EDITS_CLOSE.closed);
    const { token: code, id } = await api.client().accessTokens.create({ body: { endpoint_id: structure } });
    const entered = await api.call(calls.visit.enterOne, { slugOne: slug }, { body: { access_token: code } });
    const before: PublicRoom = entered.body.data.room;
    const inside = await follow(before, entered.body.token);
    await add('For those inside');
    await expect.poll(() => inside.heard.length).toBe(1);
    await api.client().accessTokens.remove({ params: { id } });
    await add('For others');
    expect(await inside.closed).toBe(VISITOR_EDITS_CLOSE.closed);
    expect(JSON.stringify(inside.heard)).not.toContain('For others');
  });

  it('what is no opening, what says more, and pages of other sites are refused', async () => {
    for (const nonsense of [
      '{',
      '[]',
      '{"path":"/x"}',
      'x'.repeat(2000),
      '{"path":"/x","token":null,"tag":"","more":1}',
    ]) {
      const socket = await EditsSocket.connect(api.origin);
      socket.send(nonsense);
      expect(await socket.closed).toBe(VISITOR_EDITS_CLOSE.notAllowed);
    }
    const large = await EditsSocket.connect(api.origin);
    large.send('x'.repeat(9000));
    expect(await large.closed).toBe(1009);
    const twice = await open((await visit()).tag!);
    twice.send({ path: `/${slug}`, token: null, tag: '' });
    expect(await twice.closed).toBe(VISITOR_EDITS_CLOSE.notAllowed);
    await expect(EditsSocket.connect(api.origin, { origin: 'https://elsewhere.example' })).rejects.toThrow('403');
    const { status } = await fetch(`${api.origin}/realtime/edits`, { headers: { host: new URL(api.origin).host } });
    expect(status).toBe(426);
    const nowhere = await EditsSocket.connect(api.origin);
    nowhere.send({ path: '/no/such/place/here', token: null, tag: '' });
    expect(await nowhere.closed).toBe(VISITOR_EDITS_CLOSE.closed);
  });
});
