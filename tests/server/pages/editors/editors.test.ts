import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EDITOR_CLOSE } from '../../../../src/contract/editor-messages.ts';
import { ApiApp, databases, type TestUser } from '../../../harness/api-app.ts';
import { EditorSocket } from '../../../harness/editor-socket.ts';
import { otherPicture, PIXEL } from '../../../harness/media-requests.ts';

describe.each(databases)('open editors on %s', (kind) => {
  let api: ApiApp;
  let room: number;
  const sockets: EditorSocket[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    room = (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterEach(() => {
    for (const { ws } of sockets.splice(0)) ws.terminate();
  });
  afterAll(() => api.close());

  const open = async (client: string, { token }: TestUser = api.one.admin, after = 0) => {
    const socket = await EditorSocket.open(api.origin, room, { token, client, after });
    sockets.push(socket);
    return socket;
  };
  const opened = async (...input: Parameters<typeof open>) => {
    const socket = await open(...input);
    await expect.poll(() => socket.of('opened').length).toBe(1);
    return socket;
  };
  const rename = (title: string) => api.client().rooms.update({ params: { id: room }, body: { title } });
  const seqs = (socket: EditorSocket) => socket.of('entry').map(({ entry }) => entry.seq);

  it('get what changes the space, in order and without gaps, from where they were', async () => {
    const [one, two] = [await opened('one'), await opened('two')];
    for (let turn = 1; turn <= 20; turn++) await rename(`Hall ${turn}`);
    const all = Array.from({ length: 20 }, (_, index) => index + 1);
    await expect.poll(() => [seqs(one), seqs(two)]).toEqual([all, all]);
    const late = await opened('late', api.one.admin, 15);
    await expect.poll(() => seqs(late)).toEqual([16, 17, 18, 19, 20]);
    expect(late.of('opened')[0]).toMatchObject({ seq: 20, mayEdit: true });
    expect(one.of('entry')[4]!.entry).toMatchObject({ origin: 'api', commands: [{ fields: { title: 'Hall 5' } }] });
  });

  it('are told to read the space anew where the log cannot tell what they missed', async () => {
    await rename('Foyer');
    const ahead = await opened('ahead', api.one.admin, 9);
    await expect.poll(() => ahead.of('reload')).toEqual([{ type: 'reload', seq: 1 }]);
    await rename('Court');
    await expect.poll(() => seqs(ahead)).toEqual([2]);
  });

  it('receive replacements of files, which the log does not contain', async () => {
    const file = await api.client().media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    const one = await opened('one');
    await rename('Foyer');
    await expect.poll(() => seqs(one)).toEqual([1]);
    expect(one.of('files')).toEqual([]);
    const other = new File([otherPicture().content], 'other.png');
    await api.client().media.replace({ params: { id: file.id }, body: {}, files: { file: other } });
    await expect.poll(() => one.of('files')).toEqual([{ type: 'files' }]);
  });

  it('see one another: who, in which color, what is selected and moved', async () => {
    const guest = await api.addUser(api.one, {
      rooms: { view_any: true, create: false, update: false, delete: false },
    });
    const one = await opened('one');
    const two = await opened('two', guest);
    expect(two.of('opened')[0]).toMatchObject({ mayEdit: false, editors: [{ client: 'one' }] });
    await expect.poll(() => one.of('editor').map(({ editor }) => editor.client)).toEqual(['two']);
    expect(one.of('editor')[0]!.editor.color).not.toBe(two.of('opened')[0]!.editors[0]!.color);
    one.present({ selection: [7], writing: 7, moving: [{ id: 7, fields: { position_x: 5 } }] });
    await expect
      .poll(() => two.of('editor').at(-1)?.editor)
      .toMatchObject({ client: 'one', presence: { selection: [7], writing: 7, moving: [{ id: 7 }] } });
    // However often they speak, others hear of it ten times a second.
    const before = two.of('editor').length;
    for (let turn = 0; turn < 40; turn++) one.present({ selection: [turn + 1] });
    await expect.poll(() => two.of('editor').at(-1)?.editor.presence.selection).toEqual([40]);
    expect(two.of('editor').length - before).toBeLessThan(10);
    one.ws.close();
    await expect.poll(() => two.of('left')).toEqual([{ type: 'left', client: 'one' }]);
  });

  it('security 68: are let in with a session of the organization, and go when that ends', async () => {
    const stranger = await open('stranger', { ...api.one.admin, token: 'x' });
    expect(await stranger.closed).toBe(EDITOR_CLOSE.signedOut);
    const theirs = await open('theirs', api.two.admin);
    expect(await theirs.closed).toBe(EDITOR_CLOSE.gone);
    const blind = await open('blind', await api.addUser(api.one, {}));
    expect(await blind.closed).toBe(EDITOR_CLOSE.forbidden);

    const rooms = { view_any: true, create: false, update: true, delete: false };
    const user = await api.addUser(api.one, { rooms });
    const socket = await opened('worker', user);
    const { users } = api.client();
    const set = (changed: Partial<typeof rooms>) =>
      api.services.db
        .updateTable('users')
        .set({ policies: JSON.stringify({ ...policies, rooms: { ...rooms, ...changed } }) })
        .where('id', '=', user.id)
        .execute();
    const policies = JSON.parse(
      (await api.services.db.selectFrom('users').select('policies').where('id', '=', user.id).executeTakeFirstOrThrow())
        .policies,
    );
    await set({ update: false });
    await expect.poll(() => socket.of('rights')).toEqual([{ type: 'rights', mayEdit: false }]);
    await users.update({ params: { id: user.id }, body: { is_active: false } });
    expect(await socket.closed).toBe(EDITOR_CLOSE.signedOut);
  });

  it('end when the space goes', async () => {
    const socket = await opened('one');
    await api.client().rooms.remove({ params: { id: room } });
    expect(await socket.closed).toBe(EDITOR_CLOSE.gone);
  });

  it('end when something else is sent, and only our own pages open them', async () => {
    for (const message of [
      '{',
      '{"type":"presence","presence":{}}',
      JSON.stringify({ type: 'open' }),
      'x'.repeat(20_000),
    ]) {
      const socket = await EditorSocket.connect(api.origin, room);
      sockets.push(socket);
      socket.send(message);
      // Larger ones than any editor sends are not even read: RFC 6455 has a code for that.
      if (message.length < 20_000 && !message.includes('presence'))
        expect(await socket.closed).toBe(EDITOR_CLOSE.notAllowed);
      else if (message.length === 20_000) expect(await socket.closed).toBe(1009);
    }
    const twice = await opened('twice');
    twice.send({ type: 'open', token: 'x', client: 'twice', after: 0 });
    expect(await twice.closed).toBe(EDITOR_CLOSE.notAllowed);
    const foreign = EditorSocket.connect(api.origin, room, { origin: 'https://elsewhere.example' });
    await expect(foreign).rejects.toThrow('403');
    expect((await api.send('GET', `/realtime/editors/${room}`)).status).toBe(426);
  });
});
