import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { errors } from '../../../../src/contract/errors.ts';
import { ApiApp, databases, formOf, type Sent, type TestUser } from '../../../harness/api-app.ts';
import { type CallName, type Fixture, requests } from '../../../harness/call-requests.ts';
import { furnishOrganization } from '../../../harness/furnish-organization.ts';
import { picture } from '../../../harness/media-requests.ts';
import { IdentityProvider } from '../../../harness/stand-ins/identity-provider.ts';
import { INSTAGRAM, InstagramStandIn } from '../../../harness/stand-ins/instagram.ts';
import { WOWZA, WowzaStandIn } from '../../../harness/stand-ins/wowza.ts';

type Data = Record<string, unknown>;

const table = new Map(
  Object.entries(calls).flatMap(([area, list]) =>
    Object.entries(list as Record<string, Call>).map(([name, call]) => [`${area}.${name}` as CallName, call] as const),
  ),
);
const edits = [...table].filter(([, call]) => call.method === 'PUT' || call.edits);

/** What an entry is sent as: JSON, or the fields of a form. */
function sentAs(call: Call, data: Data): Sent {
  if (!call.files) return { body: data };
  const text = (value: unknown) => {
    if (typeof value === 'boolean') return String(Number(value));
    if (value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return { form: formOf(Object.fromEntries(Object.entries(data).map(([name, value]) => [name, text(value)]))) };
}

describe.each(databases)('edits that send what was read, on %s', (kind) => {
  let api: ApiApp;
  let fixture: Fixture;
  let wowza: WowzaStandIn;
  let instagram: InstagramStandIn;
  let identity: IdentityProvider;

  beforeAll(async () => {
    wowza = await new WowzaStandIn().start();
    instagram = await new InstagramStandIn().start();
    identity = await new IdentityProvider().start();
    identity.allow(`${INSTAGRAM.PUBLIC_URL}/admin/login/provider`);
    const addresses = { WOWZA_URL: wowza.url, INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
    const guard = { allowed: [identity.address] };
    api = await ApiApp.start(kind, { ...WOWZA, ...INSTAGRAM, ...addresses }, guard);
    fixture = await furnishOrganization(api, api.one, { instagram, identity });
  });
  afterAll(async () => {
    await api.close();
    await Promise.all([wowza.stop(), instagram.stop(), identity.stop()]);
  });

  /** Whoever may make the call: one's own passkeys are nobody else's. */
  const callerOf = (name: CallName): TestUser => (name.startsWith('passkeys.') ? fixture.user : api.one.admin);
  /** Every row, without when it was last written and what counts sign-ins. */
  const rows = async () =>
    (await api.dump(['sessions', 'attempts'])).replace(/"(?:updated_at":"[^"]*"|revision":\d+),?/g, '');

  const read = async (
    name: CallName,
    call: Call,
  ): Promise<{ params: Data; data: Data; send(data: Data): ReturnType<ApiApp['call']> }> => {
    const { params = {} } = requests[name](fixture);
    const { token } = callerOf(name);
    const reading = table.get(call.edits!.read as CallName)!;
    const { body } = await api.call(reading, params, { token });
    const entry = (one: Data) => Object.entries(params).every(([key, value]) => one[key] === value);
    const data = Array.isArray(body.data) ? body.data.find(entry) : body.data;
    return { params, data, send: (sent) => api.call(call, params, { ...sentAs(call, sent), token }) };
  };

  it('are every call that puts something, each with the call that reads it', () => {
    expect(edits.length).toBeGreaterThan(12);
    for (const [name, call] of edits) expect(table.has(call.edits?.read as CallName), name).toBe(true);
  });

  describe.each(edits)('%s', (name, call) => {
    it('takes what was read, and changes nothing', async () => {
      const { data, send } = await read(name, call);
      const before = await rows();
      const { status, text } = await send(data);
      expect(status, text).toBe(200);
      expect(await rows()).toBe(before);
    });

    it("names what can't be changed and was", async () => {
      const { data, send } = await read(name, call);
      const shape = (call.body as unknown as { shape: Data }).shape;
      const fixed = Object.keys(data).filter(
        (field) => !(field in shape) && !call.edits!.moving?.includes(field) && field !== 'updated_at',
      );
      expect(fixed.length).toBeGreaterThan(0);
      const before = await rows();
      for (const field of fixed) {
        const changed = data[field] === null ? 7 : null;
        const { status, body } = await send({ ...data, [field]: changed });
        expect({ status, msg: body.msg }, field).toEqual({
          status: 400,
          msg: { [field]: [`${field} can't be changed.`] },
        });
      }
      expect(await rows()).toBe(before);
    });

    it('refuses fields that do not exist', async () => {
      const { data, send } = await read(name, call);
      for (const sent of [{ ...data, nonsense: 1 }, { nonsense: 1 }]) {
        const { status, body } = await send(sent);
        // Where a field is missing as well, that is said too.
        const code = status === 422 ? 'invalid' : 'unknown_field';
        expect({ status, code: body.code }).toEqual({ status: errors[code].status, code });
        expect(Object.keys(body.msg)).toContain('nonsense');
      }
    });

    it('says that it is stale where something else was read', async () => {
      const { data, send } = await read(name, call);
      if (typeof data.updated_at !== 'string') return;
      const { status, body } = await send({ ...data, updated_at: '2020-01-01T00:00:00.000Z' });
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'stale' });
    });
  });

  it('take an element of every kind, as its space has it and as lists have it', async () => {
    const { rooms, elements, media, liveStreams } = api.client();
    const room = await rooms.create({ body: { title: 'All' } });
    const add = (body: Parameters<typeof rooms.addElement>[0]['body']) =>
      rooms.addElement({ params: { id: room.id }, body });
    const group = await add({ element: 'group', name: 'Wall' });
    const file = await media.upload({ body: {}, files: { file: new File([picture().content], 'pixel.png') } });
    const parent_element_id = group.id;
    await add({
      element: 'image',
      file_id: file.id,
      parent_element_id,
      start_time: '10:00',
      end_time: '11:00',
      utc_offset: 0,
    });
    await add({ element: 'live_stream', config: { live_stream_id: fixture.liveStream.id } });
    for (const element of ['html', 'rich_text', 'text', 'button', 'light', 'view_point', 'video', 'iframe'] as const)
      await add({ element, parent_element_id, position_x: 0.5 });
    expect((await liveStreams.list()).data.length).toBeGreaterThan(0);
    const { elements: tree } = await rooms.read({ params: { id: room.id } });
    const inTree = tree.flatMap((top) => [top, ...top.children]);
    const listed = await elements.list({ query: { room_id: room.id } });
    const before = await rows();
    for (const body of [...listed, ...inTree]) {
      const { status, text } = await api.call(
        calls.elements.update,
        { id: body.id },
        { body, token: api.one.admin.token },
      );
      expect(status, text).toBe(200);
    }
    expect(await rows()).toBe(before);
  });

  it('change what was changed in it, and nothing else', async () => {
    const { rooms, elements } = api.client();
    const room = await rooms.read({ params: { id: fixture.room } });
    const { token } = api.one.admin;
    const { status } = await api.call(calls.rooms.update, { id: room.id }, { body: { ...room, title: 'Hall' }, token });
    expect(status).toBe(200);
    expect(await rooms.read({ params: { id: room.id } })).toMatchObject({ title: 'Hall', config: room.config });
    const element = await elements.read({ params: { id: fixture.element } });
    const body = { ...element, config: { ...element.config, slider_enabled: true } };
    expect((await api.call(calls.elements.update, { id: element.id }, { body, token })).status).toBe(200);
    const { updated_at: _stamp, ...after } = await elements.read({ params: { id: element.id } });
    expect(after).toMatchObject({ name: element.name, config: { slider_enabled: true } });
  });

  it('tell nobody more than they may know', async () => {
    const view = { view_any: false, create: false, update: true, delete: false };
    const { token } = await api.addUser(api.one, { rooms: view });
    const [foreign] = [await api.client(api.two.admin).rooms.create({ body: { title: 'Theirs' } })];
    const { status } = await api.call(calls.rooms.update, { id: foreign.id }, { body: { id: foreign.id }, token });
    expect(status).toBe(404);
  });
});
