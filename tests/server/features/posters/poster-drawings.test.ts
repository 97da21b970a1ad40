import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { timestampOf } from '../../../../src/server/core/clock.ts';
import {
  endDrawing,
  findDrawing,
  listUndrawn,
  planDrawing,
  postponeDrawing,
  putPoster,
  type Undrawn,
} from '../../../../src/server/features/posters/queries.ts';
import { drawnRoom } from '../../../../src/server/features/rooms/read-room.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const MINUTE = 60_000;

describe.each(databases)('which posters are to be drawn on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  beforeEach(async () => {
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.rooms.addElement({ params: { id: room }, body: { element: 'group' } });
  });
  afterAll(() => api.close());

  const undrawn = async (subject: Undrawn['subject'] = 'room_id', id = room) => {
    const { db } = api.services;
    return (await listUndrawn(db, subject, id - 1, 1)).undrawn[0];
  };
  const plans = async () => {
    const rows = await api.services.db.selectFrom('poster_drawings').select('id').where('room_id', '=', room).execute();
    return Promise.all(rows.map(async ({ id }) => (await findDrawing(api.services.db, id))!));
  };
  const stampAfter = (milliseconds: number) => timestampOf(api.clock.now() + milliseconds);
  const its = () => ({ ...api.services, organizationId: api.one.id });
  const none = { file_id: null, small: 'a', large: 'a' };
  const put = (version?: string, drawn: 'drawn' | 'chosen' = 'drawn') =>
    putPoster(api.services.db, its(), { subject: 'room_id', id: room }, drawn, none, version);

  it('a space without one, or that changed since; never one that somebody chose an image for', async () => {
    const first = (await undrawn())!;
    expect(first).toMatchObject({ subject: 'room_id', id: room, organizationId: api.one.id });
    await put(first.version);
    expect(await undrawn()).toBeUndefined();
    await client.rooms.addElement({ params: { id: room }, body: { element: 'group' } });
    expect((await undrawn())!.version).not.toBe(first.version);
    // What was drawn of an older version meanwhile does not count as the present one.
    await put(first.version);
    expect(await undrawn()).toBeDefined();
    await put();
    expect(await undrawn()).toBeUndefined();
    await put(undefined, 'chosen');
    await client.rooms.update({ params: { id: room }, body: { title: 'Great hall' } });
    expect(await undrawn()).toBeUndefined();
    await client.rooms.removePoster({ params: { id: room } });
    expect(await undrawn()).toBeDefined();
  });

  it('with its template, whose own is drawn as well', async () => {
    const template = await client.templates.create({ body: { name: 'Grid' } });
    expect(await undrawn('template_id', template.id)).toMatchObject({ id: template.id, version: template.updated_at });
    await client.rooms.update({ params: { id: room }, body: { template_id: template.id } });
    await put();
    expect(await undrawn()).toBeUndefined();
    api.clock.advance(1000);
    await client.templates.update({ params: { id: template.id }, body: { name: 'Grid', width: 3000 } });
    expect(await undrawn()).toBeDefined();
  });

  it('is looked for in pieces, in the order of ids', async () => {
    const { db } = api.services;
    const all: number[] = [];
    let after = 0;
    do {
      const { undrawn: found, next } = await listUndrawn(db, 'room_id', after, 2);
      all.push(...found.map(({ id }) => id));
      after = next;
    } while (after !== 0);
    expect(all).toContain(room);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
  });

  it('a drawing is planned once per version, and an older one is replaced', async () => {
    const { db, clock } = api.services;
    const it = (await undrawn())!;
    const soon = stampAfter(MINUTE);
    await Promise.all(Array.from({ length: 6 }, () => planDrawing(db, clock, it, soon)));
    expect(await undrawn()).toEqual({ ...it, isPlanned: true });
    const [first] = await plans();
    await postponeDrawing(db, clock, first!, 3, soon);
    await planDrawing(db, clock, it, stampAfter(2 * MINUTE));
    expect(await plans()).toMatchObject([{ attempts: 3, version: it.version }]);
    await client.rooms.addElement({ params: { id: room }, body: { element: 'group' } });
    const next = (await undrawn())!;
    expect(next.isPlanned).toBe(false);
    await planDrawing(db, clock, next, soon);
    expect(await plans()).toMatchObject([{ attempts: 0, version: next.version, subject: 'room_id', id: room }]);
    // The server that drew the older version doesn't end the newer plan.
    await endDrawing(db, first!);
    await postponeDrawing(db, clock, first!, 1, null);
    expect(await plans()).toMatchObject([{ attempts: 0, version: next.version }]);
    await endDrawing(db, (await plans())[0]!);
    expect(await plans()).toEqual([]);
  });

  it('shows what visitors see: nothing hidden, and nothing at all of an empty space', async () => {
    const { db } = api.services;
    const body = { element: 'html' as const, width: 10, height: 10, config: { body: '<p>Secret</p>' }, hidden: true };
    await client.rooms.addElement({ params: { id: room }, body });
    const shown = await drawnRoom(db, (await undrawn())!);
    expect(shown!.elements).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toContain('Secret');
    const empty = (await client.rooms.create({ body: { title: 'Empty' } })).id;
    const nothing = (await undrawn('room_id', empty))!;
    expect(await drawnRoom(db, nothing)).toBeNull();
    expect(await drawnRoom(db, { ...nothing, organizationId: api.two.id })).toBeNull();
    expect(await drawnRoom(db, { ...nothing, subject: 'template_id', id: 999_999 })).toBeNull();
  });
});
