import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tintOf } from '../../../../engine/scene/markers/tint-of.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { type Opening, VisitorSocket } from './visitor-socket.ts';

const QUARTER = Math.PI / 2;

describe.each(databases)('who visitors are and where they look: %s', (kind) => {
  let api: ApiApp;
  let key: string;
  let room: number;
  let element: number;
  const open: VisitorSocket[] = [];
  let made = 0;

  beforeAll(async () => {
    api = await ApiApp.start(kind);
    key = (await api.send('GET', '/api/v1/settings')).body.data.realtime_api_key;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((visitor) => visitor.leave()));
  });
  afterAll(() => api.close());

  const enter = async (options: Opening = { mode: 'batch', avatars: true }) => {
    const visitor = await VisitorSocket.open(api.origin, { key, room, ...options });
    open.push(visitor);
    return visitor;
  };
  const publish = async () => {
    const client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } })).id;
    const body = { element: 'text', name: 'Sign', config: { realtime: true } } as const;
    element = (await client.rooms.addElement({ params: { id: room }, body })).id;
    await client.endpoints.create({ body: { name: `Hall ${++made}`, room_id: room } });
  };
  /** Three visitors at x 1, 2 and 3, who come in this order. */
  const enterThree = async () => {
    await publish();
    const visitors: VisitorSocket[] = [];
    for (const x of [1, 2, 3]) {
      const visitor = await enter();
      visitors.push(visitor);
      visitor.move(`visitor${x}.1`, x, 'position', { heading: x * QUARTER });
      await expect.poll(() => visitors[0]!.places.size).toBe(x);
    }
    return visitors as [VisitorSocket, VisitorSocket, VisitorSocket];
  };

  test('frames number guests from one on, the same for everybody, and say their headings and tints', async () => {
    const visitors = await enterThree();
    for (const visitor of visitors)
      await expect
        .poll(() => visitor.people)
        .toEqual({
          1: { guest: 1, degrees: 90 },
          2: { guest: 2, degrees: 180 },
          3: { guest: 3, degrees: 270 },
        });
    const tints = [...visitors[2].guests.values()].map(({ tint }) => tint).sort();
    expect(tints).toEqual(['visitor1', 'visitor2', 'visitor3'].map(tintOf).sort());
  });

  test('who stands still and turns is told of; a number goes to the next one only when its visitor has left', async () => {
    const [one, two] = await enterThree();
    two.move('visitor2.1', 2, 'position', { heading: -QUARTER });
    await expect.poll(() => one.people[2]).toEqual({ guest: 2, degrees: 270 });
    await two.leave();
    const four = await enter();
    four.move('four', 4);
    await expect
      .poll(() => one.people)
      .toEqual({
        1: { guest: 1, degrees: 90 },
        3: { guest: 3, degrees: 270 },
        4: { guest: 2, degrees: undefined },
      });
  });

  test('who comes back gets the number that it had, unless somebody else has it', async () => {
    const [one, two, three] = await enterThree();
    await three.leave();
    await two.leave();
    const back = await enter();
    back.move('visitor3.2', 3, 'position', { guest: 3 });
    await expect.poll(() => one.people[3]?.guest).toBe(3);
    const thief = await enter();
    thief.move('thief', 5, 'position', { guest: 1 });
    await expect.poll(() => one.people[5]?.guest).toBe(2);
    expect(one.people[1]?.guest).toBe(1);
  });

  test('a visitor has one number in a room and at its elements', async () => {
    const [one, two] = await enterThree();
    const subject = `position_${element}`;
    const atElement = await enter();
    atElement.move('visitor9', 9, subject);
    await expect.poll(() => atElement.people[9]?.guest).toBe(4);
    two.move('visitor2.1', 2, subject);
    await expect.poll(() => atElement.people[2]?.guest).toBe(2);
    expect(one.people[2]?.guest).toBe(2);
  });

  test('pages and servers of earlier versions get frames of places only, and messages what was sent', async () => {
    const [one] = await enterThree();
    const earlier = await enter({ mode: 'batch' });
    const single = await enter({});
    earlier.move('earlier', 7);
    single.move('single', 8);
    await expect.poll(() => Object.keys(earlier.people)).toEqual(['1', '2', '3', '7', '8']);
    expect(earlier.people[1]).toEqual({ guest: undefined, degrees: undefined });
    await expect.poll(() => one.people[8]).toEqual({ guest: 5, degrees: undefined });
    one.move('visitor1.1', 10, 'position', { heading: -QUARTER });
    await expect.poll(() => single.placeOf('visitor1.1')?.x).toBe(10);
    const said = (ref: string) => single.heard.findLast(({ data }) => data.ref === ref);
    expect(said('visitor1.1')).toEqual({
      subject: 'position',
      data: { ref: 'visitor1.1', position: { x: 10, y: 2, z: -4 }, heading: 4.7124 },
    });
    expect(said('earlier')?.data).toEqual({ ref: 'earlier', position: { x: 7, y: 2, z: -4 } });
  });

  test('a heading that is no angle and a number that is none are refused with their message', async () => {
    const [one] = await enterThree();
    const wrong = [
      { heading: 7 },
      { heading: -7 },
      { heading: null },
      { heading: '1' },
      { heading: [1] },
      { guest: 0 },
      { guest: 1.5 },
      { guest: 10_000 },
      { guest: '2' },
    ];
    const bad = await enter();
    for (const more of wrong) bad.move('bad', 50, 'position', more);
    bad.say('{"subject":"position","data":{"ref":"bad","position":{"x":50,"y":0,"z":0},"heading":NaN}}');
    // Fields that nobody knows do no harm, and go nowhere.
    bad.say({
      subject: 'position',
      data: { ref: 'bad', position: { x: 60, y: 0, z: 0 }, heading: 0, name: 'x'.repeat(500) },
    });
    await expect.poll(() => one.people[60]).toEqual({ guest: 4, degrees: 0 });
    expect(one.people[50]).toBeUndefined();
    expect(bad.guests.size).toBe(4);
  });
});
