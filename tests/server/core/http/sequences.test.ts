import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, formOf, refused, type Sent } from '../../../harness/api-app.ts';
import { PIXEL } from '../../features/history/changing-requests.ts';

/** Sequences that are made up for each database, and requests in one. */
const SEQUENCES = 8;
const LONGEST = 40;

/** The first part of a call's path behind `/backend`, for calls of one thing: what the thing is. */
const thingOf = ({ path }: Call) => /^\/backend\/([a-z-]+)\/:id/.exec(path)?.[1];
/** Calls of one thing whose id means something else, or that speak with another service. */
const ELSEWHERE = ['bulk', 'history', 'imports'];

/** Bodies that a call takes for a thing that exists, where it takes any. */
const bodies: Record<string, Sent> = {
  'rooms.update': { body: { title: 'Late' } },
  'rooms.addElement': { body: { element: 'group', name: 'Late' } },
  'rooms.commit': {
    body: { client: 'late', mutation: 1, commands: [{ type: 'room.update', fields: { title: 'Late' } }] },
  },
  'rooms.drawPoster': { form: formOf({}, { field: 'file', name: 'pixel.png', content: new Blob([PIXEL]) }) },
  'rooms.choosePoster': { body: { file_id: 1 } },
  'endpoints.choosePoster': { body: { file_id: 1 } },
  'endpoints.move': { body: { parent_endpoint_id: null } },
  'templates.choosePoster': { body: { file_id: 1 } },
  'media.drawTurntable': {
    form: formOf({}, { field: 'file', name: 'pixel.png', content: new Blob([PIXEL]) }),
  },
  'elements.update': { body: { name: 'Late' } },
  'elements.position': { body: { position_x: 1 } },
  'endpoints.update': { form: formOf({ name: 'Late' }) },
  'endpoints.copy': { body: { slug: 'late' } },
  'endpoints.removeAddress': { body: { path: '/late' } },
  'accessTokens.update': { body: { valid_duration: 30 } },
  'accessTokens.importFile': {
    form: formOf({}, { field: 'access_tokens_file', name: 'codes.csv', content: new Blob(['a late code']) }),
  },
  'templates.update': { body: { width: 10 } },
  'templates.copy': { body: {} },
  'blocks.update': { body: { name: 'Late' } },
  'blocks.updateIn': { body: { block_id: 1 } },
  'proposals.create': { body: { name: 'Late' } },
  'proposals.merge': { body: {} },
  'translations.import': {
    form: formOf({ language: 'nl' }, { field: 'file', name: 'nl.csv', content: new Blob(['id,text,translation']) }),
  },
  'endpoints.translate': { body: { language: 'nl', texts: { name: 'Laat' } } },
  'endpoints.importTranslations': {
    form: formOf({ language: 'nl' }, { field: 'file', name: 'nl.csv', content: new Blob(['id,text,translation']) }),
  },
  'translations.draft': { body: { language: 'nl' } },
  'users.update': { body: { is_active: false } },
  'feeds.update': { body: { name: 'Late' } },
  'liveStreams.update': { body: { name: 'Late' } },
  'rooms.move': { body: { folder_id: null } },
  'folders.update': { body: { name: 'Late' } },
  'media.update': { body: { title: 'Late' } },
  'media.translate': { body: { language: 'nl', texts: { title: 'Laat' } } },
  'media.replace': { form: formOf({}, { field: 'file', name: 'pixel.png', content: new Blob([PIXEL]) }) },
  'media.restore': { body: { version_id: 1 } },
  'media.merge': { body: { ids: [1] } },
  'mediaFolders.update': { body: { name: 'Late' } },
  'webhooks.update': { body: { name: 'Late' } },
  'mailings.update': { body: { name: 'Late' } },
  'mailings.test': { body: {} },
  'mailings.send': { body: {} },
  'mailings.resend': { body: { ids: [1] } },
  'mailings.markSent': { body: { ids: [1] } },
  'checkIn.create': { body: { name: 'Late' } },
  'revisions.create': { body: { name: 'Late' } },
  'revisions.rename': { body: { name: 'Late' } },
  'revisions.restore': { body: {} },
  'publications.publish': { body: {} },
  'publications.createPreviewLink': { body: { expires_in: 60 } },
};

const uses = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).flatMap(([name, call]) => {
    const thing = thingOf(call);
    return thing === undefined || ELSEWHERE.includes(thing) ? [] : [{ name: `${area}.${name}`, thing, call }];
  }),
);

/** One request of a sequence; numbers choose among the things that have been there so far, removed ones too. */
type Step =
  | { do: 'add'; room: number; parent: number | null }
  | { do: 'move'; element: number; parent: number | null }
  | { do: 'copy' | 'hide' | 'place' | 'remove' | 'read'; element: number }
  | { do: 'addRoom' }
  | { do: 'removeRoom'; room: number };

const pick = fc.nat(1000);
const parent = fc.option(pick, { freq: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('add' as const), room: pick, parent }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), element: pick, parent }) },
  {
    weight: 7,
    arbitrary: fc.record({ do: fc.constantFrom('copy', 'hide', 'place', 'remove', 'read'), element: pick }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'addRoom' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeRoom' as const), room: pick }) },
);

/** What is there after a sequence, as it should be. */
class Expected {
  readonly rooms: number[] = [];
  readonly elements: number[] = [];
  readonly roomIsThere = new Map<number, boolean>();
  /** Room and parent of each element that is there. */
  readonly places = new Map<number, { room: number; parent: number | null }>();

  addRoom(id: number): void {
    this.rooms.push(id);
    this.roomIsThere.set(id, true);
  }
  addElement(id: number, room: number, parentId: number | null): void {
    this.elements.push(id);
    this.places.set(id, { room, parent: parentId });
  }
  /** Whether an element stands below another, or is it. */
  isBelow(id: number | null, top: number): boolean {
    return id !== null && (id === top || this.isBelow(this.places.get(id)!.parent, top));
  }
  removeElement(top: number): void {
    for (const id of [...this.places.keys()].filter((each) => this.isBelow(each, top))) this.places.delete(id);
  }
  removeRoom(room: number): void {
    this.roomIsThere.set(room, false);
    for (const [id, place] of [...this.places]) if (place.room === room) this.places.delete(id);
  }
}

describe.each(databases)('what follows a removal, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  /** One of each, made and removed again; the things that went with what they belonged to are among them. */
  const removeOneOfEach = async (): Promise<Record<string, number[]>> => {
    const { rooms, elements, endpoints, accessTokens, templates, media, apiKeys, users, feeds, revisions } = client;
    const file = await media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    const template = await templates.create({ body: { name: 'T' } });
    const furnish = async () => {
      const room = (await rooms.create({ body: { title: 'Hall' } })).id;
      const revision = (await revisions.create({ params: { id: room }, body: { name: 'Empty' } })).id;
      const add = (parent_element_id: number | null) =>
        rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'G', parent_element_id } });
      const group = (await add(null)).id;
      return { room, revision, group, child: (await add(group)).id };
    };
    const [whole, parts] = [await furnish(), await furnish()];
    const door = async (parent_endpoint_id: number | null) => {
      const body = { name: 'Door', slug: `door-${Math.max(0, parent_endpoint_id ?? 0)}`, parent_endpoint_id };
      const endpoint = (await endpoints.create({ body: { ...body, room_id: parts.room } })).id;
      return { endpoint, token: (await accessTokens.create({ body: { endpoint_id: endpoint } })).id };
    };
    const outer = await door(null);
    const inner = await door(outer.endpoint);
    const key = (await apiKeys.create({ body: { name: 'Key', policies: allPolicies() } })).id;
    const user = (await api.addUser(api.one, {})).id;
    const feed = (await feeds.create({ body: { name: 'Local', type: 'local', config: {} } })).id;
    const ids = (id: number) => ({ params: { id } });
    const hook = { name: 'Hook', url: 'https://example.com/hook', events: ['stream.started' as const] };
    const webhook = (await client.webhooks.create({ body: hook })).id;
    const delivery = (await client.webhooks.test(ids(webhook))).id;
    await client.webhooks.remove(ids(webhook));
    const words = { name: 'Opening', subject: 'Welcome', text: '{link}' };
    const mailing = (await client.mailings.create({ body: { endpoint_id: outer.endpoint, ...words } })).id;
    await client.mailings.remove(ids(mailing));
    const linkOf = async (endpoint: number) =>
      (await client.checkIn.create({ ...ids(endpoint), body: { name: 'Entrance' } })).id;
    const links = [await linkOf(outer.endpoint), await linkOf(inner.endpoint)];
    await client.checkIn.remove(ids(links[0]!));
    const block = (await client.blocks.create({ body: { name: 'Desk', element: { id: 1, element: 'group' } } })).id;
    await client.blocks.remove(ids(block));
    const folder = (await client.folders.create({ body: { name: 'Folder' } })).id;
    await client.folders.remove(ids(folder));
    const mediaFolder = (await client.mediaFolders.create({ body: { name: 'Folder' } })).id;
    await client.mediaFolders.remove(ids(mediaFolder));
    const proposal = (await client.proposals.create({ ...ids(whole.room), body: { name: 'Proposal' } })).id;
    await rooms.remove(ids(whole.room));
    await revisions.remove(ids(parts.revision));
    await elements.remove(ids(parts.group));
    await endpoints.remove(ids(outer.endpoint));
    await Promise.all([templates.remove(ids(template.id)), apiKeys.remove(ids(key)), users.remove(ids(user))]);
    await Promise.all([media.remove({ ...ids(file.id), query: {} }), feeds.remove(ids(feed))]);
    return {
      rooms: [whole.room],
      folders: [folder],
      'media-folders': [mediaFolder],
      proposals: [proposal],
      revisions: [whole.revision, parts.revision],
      elements: [whole.group, whole.child, parts.group, parts.child],
      endpoints: [outer.endpoint, inner.endpoint],
      'access-tokens': [outer.token, inner.token],
      templates: [template.id],
      blocks: [block],
      media: [file.id],
      'api-keys': [key],
      users: [user],
      feeds: [feed],
      webhooks: [webhook],
      mailings: [mailing],
      'check-in-links': links,
      'webhook-deliveries': [delivery],
      // Making one would ask its platform; an id that nothing has stands for one that is gone.
      'live-streams': [999_999],
    };
  };

  it('security 46: every call for what is gone, or went with its parent, says so and changes nothing', async () => {
    const gone = await removeOneOfEach();
    expect(new Set(uses.map(({ thing }) => thing))).toEqual(new Set(Object.keys(gone)));
    const before = await api.dump(['sessions']);
    const { token } = api.one.admin;
    const queries: Record<string, string> = {
      'endpoints.exportTokens': 'ticket=gone',
      'translations.export': 'language=nl',
      'endpoints.exportTranslations': 'language=nl',
    };
    for (const { name, thing, call } of uses)
      for (const id of gone[thing]!) {
        const needsTicket = name === 'endpoints.exportTokens';
        const answer = await api.call(call, { id, hidden: 1 }, { ...bodies[name], token, query: queries[name] ?? '' });
        expect([name, id, answer.status], answer.text).toEqual([name, id, needsTicket ? answer.status : 404]);
      }
    expect(await api.dump(['sessions'])).toBe(before);
  });

  it('security 46: nothing new stands below what is gone, or points at it', async () => {
    const gone = await removeOneOfEach();
    const { id: room } = await client.rooms.create({ body: { title: 'Attic' } });
    const params = { id: room };
    const { id: element } = await client.rooms.addElement({ params, body: { element: 'image' } });
    const { id: endpoint, slug } = await client.endpoints.create({ body: { name: `Way ${room}`, room_id: room } });
    const { id: code } = await client.accessTokens.create({ body: { endpoint_id: endpoint } });
    const { id: template } = await client.templates.create({ body: { name: 'T' } });
    const before = await api.dump(['sessions']);
    const first = (thing: string) => gone[thing]![0]!;
    const [group, child] = gone.elements!.slice(-2) as [number, number];
    const attempts: [string, () => Promise<unknown>][] = [
      [
        'parent_element_id',
        () => client.rooms.addElement({ params, body: { element: 'text', parent_element_id: group } }),
      ],
      [
        'parent_element_id',
        () => client.elements.update({ params: { id: element }, body: { parent_element_id: child } }),
      ],
      ['file_id', () => client.elements.update({ params: { id: element }, body: { file_id: first('media') } })],
      ['template_id', () => client.rooms.update({ params, body: { template_id: first('templates') } })],
      [
        'logo_file_id',
        () => client.templates.update({ params: { id: template }, body: { logo_file_id: first('media') } }),
      ],
      ['folder_id', () => client.rooms.move({ params, body: { folder_id: first('folders') } })],
      ['parent_id', () => client.folders.create({ body: { name: 'F', parent_id: first('folders') } })],
      ['room_id', () => client.endpoints.update({ params: { id: endpoint }, body: { room_id: first('rooms') } })],
      [
        'parent_endpoint_id',
        () => client.endpoints.update({ params: { id: endpoint }, body: { parent_endpoint_id: first('endpoints') } }),
      ],
      ['endpoint_id', () => client.accessTokens.create({ body: { endpoint_id: first('endpoints') } })],
      [
        'endpoint_id',
        () => client.accessTokens.update({ params: { id: code }, body: { endpoint_id: first('endpoints') } }),
      ],
      ['sort', () => client.elements.reorder({ body: { sort: [element, group] } })],
    ];
    for (const [field, attempt] of attempts) {
      const { status, msg } = await refused(attempt());
      expect([Object.keys(msg)[0], status]).toEqual([field, 422]);
    }
    expect(await api.dump(['sessions'])).toBe(before);

    // What pointed at a thing before it went is let go of, and goes on.
    await client.rooms.remove({ params });
    expect(await client.endpoints.read({ params: { id: endpoint } })).toMatchObject({ room_id: null });
    expect((await api.send('GET', `/api/v1/endpoints/${slug}`)).body.data).toMatchObject({ room: null });
    expect((await client.endpoints.update({ params: { id: endpoint }, body: { name: 'Left' } })).name).toBe('Left');
  });

  it(`security 46: ${SEQUENCES} made-up sequences leave what they say, and refuse what is gone`, async () => {
    /** Sends one request. Gives its status, and the status that it should have. */
    const take = async (each: Step, expected: Expected): Promise<[number, number]> => {
      const choose = (from: readonly number[], number: number) => from[number % from.length] ?? 999_999;
      const { token } = api.one.admin;
      const send = async (call: Call, id: number, body?: unknown, extra = {}) => {
        const answer = await api.call(call, { id, ...extra }, { token, ...(body !== undefined && { body }) });
        return { status: answer.status, data: answer.body.data };
      };
      if (each.do === 'addRoom') {
        const { status, data } = await send(calls.rooms.create, 0, { title: 'Hall' });
        expected.addRoom(data.id);
        return [status, 201];
      }
      if (each.do === 'removeRoom') {
        const room = choose(expected.rooms, each.room);
        const wanted = expected.roomIsThere.get(room) ? 200 : 404;
        const { status } = await send(calls.rooms.remove, room);
        expected.removeRoom(room);
        return [status, wanted];
      }
      if (each.do === 'add') {
        const room = choose(expected.rooms, each.room);
        const below = each.parent === null ? null : choose(expected.elements, each.parent);
        const body = { element: 'group', name: 'G', parent_element_id: below };
        const { status, data } = await send(calls.rooms.addElement, room, body);
        if (status === 201) expected.addElement(data.id, room, below);
        if (!expected.roomIsThere.get(room)) return [status, 404];
        return [status, below === null || expected.places.get(below)?.room === room ? 201 : 422];
      }
      const id = choose(expected.elements, each.element);
      const place = expected.places.get(id);
      if (each.do === 'move') {
        const below = each.parent === null ? null : choose(expected.elements, each.parent);
        const { status } = await send(calls.elements.update, id, { parent_element_id: below });
        if (!place) return [status, 404];
        const fits =
          below === null || (expected.places.get(below)?.room === place.room && !expected.isBelow(below, id));
        if (fits) place.parent = below;
        return [status, fits ? 200 : 422];
      }
      if (each.do === 'copy') {
        const { status, data } = await send(calls.elements.copy, id);
        if (!place) return [status, 404];
        const { room } = place;
        const rows = await client.elements.list({ query: { room_id: room } });
        for (const row of rows)
          if (row.id >= data.id && !expected.places.has(row.id))
            expected.addElement(row.id, room, row.parent_element_id);
        return [status, 201];
      }
      const { elements } = calls;
      const { status } = await (each.do === 'hide'
        ? send(elements.hide, id, undefined, { hidden: 1 })
        : each.do === 'place'
          ? send(elements.position, id, { position_x: 5 })
          : send(each.do === 'read' ? elements.read : elements.remove, id));
      if (each.do === 'remove' && place) expected.removeElement(id);
      return [status, place ? 200 : 404];
    };

    const sequences = fc.array(step, { minLength: LONGEST, maxLength: LONGEST });
    const property = fc.asyncProperty(sequences, async (steps) => {
      const expected = new Expected();
      await take({ do: 'addRoom' }, expected);
      for (const each of steps) {
        const [status, wanted] = await take(each, expected);
        expect(status, JSON.stringify(each)).toBe(wanted);
      }
      for (const [room, isThere] of expected.roomIsThere) {
        if (!isThere) continue;
        const rows = await client.elements.list({ query: { room_id: room } });
        const places = [...expected.places].filter(([, place]) => place.room === room);
        expect(new Map(rows.map((row) => [row.id, row.parent_element_id]))).toEqual(
          new Map(places.map(([id, place]) => [id, place.parent])),
        );
      }
    });
    await fc.assert(property, { numRuns: SEQUENCES, seed: 46, endOnFailure: true });
  });
});
