import { when } from 'mobx';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { spotOf } from '../../engine/document/tree.ts';
import { AWAY } from '../../src/editor/saving/conflict.ts';
import { ApiApp } from '../harness/api-app.ts';
import {
  add,
  clientWith,
  endHeadless,
  held,
  openHeadless,
  outline,
  rename,
  saved,
} from '../harness/headless-editor.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

const newRoom = async () => (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number) => api.client().rooms.read({ params: { id } });

describe('two people in one room', () => {
  /** Two of them; mine has a line that can be cut, and a clock that can be moved. */
  async function pair() {
    const room = await newRoom();
    let [isOff, away] = [false, 0];
    const line = clientWith(
      api.client(),
      (_, call) => (input) => (isOff ? Promise.reject(new TypeError('Failed to fetch')) : call(input)),
    );
    const { id: userId } = await api.client().users.active();
    const mine = await openHeadless(line, room, undefined, undefined, () => performance.now() + away, userId);
    const theirs = api.client(await api.addUser(api.one, POLICIES));
    const id = add(mine, 'image', { name: 'Picture', width: 100 });
    await saved(mine);
    const change = (body: object) => theirs.elements.update({ params: { id }, body });
    /** Edits without a connection for as long, and comes back. */
    const whileAway = async (milliseconds: number, edit: () => unknown) => {
      isOff = true;
      await edit();
      away += milliseconds;
      isOff = false;
      mine.saving.queue.resume();
    };
    return { room, mine, id, change, theirs, whileAway };
  }
  const ALL = { view_any: true, create: true, update: true, delete: true };
  const POLICIES = { rooms: ALL };

  test('the same field: the last writer wins, and nobody is asked', async () => {
    const { room, mine, id, change, whileAway } = await pair();
    await whileAway(AWAY - 5000, async () => {
      rename(mine, id, 'My picture');
      await change({ name: 'Their picture', width: 300 });
    });
    await saved(mine);
    expect(mine.saving.conflicts.next).toBeNull();
    for (const { elements } of [mine.document.room, await stored(room)])
      expect(elements[0]).toMatchObject({ name: 'My picture', width: 300 });
  });

  test('the same field, away for over a minute: one sees who changed what, and takes theirs', async () => {
    const { room, mine, id, change, whileAway } = await pair();
    await whileAway(AWAY + 5000, async () => {
      rename(mine, id, 'My picture');
      await change({ name: 'Their picture', width: 300 });
    });
    expect(await held(mine)).toEqual({
      kind: 'changed',
      id,
      name: '“My picture”',
      who: expect.stringMatching(/^(?!Somebody|You)./),
      isOwn: false,
      fields: [{ path: 'name', mine: 'My picture', theirs: 'Their picture' }],
    });
    expect(mine.saving.text).toBe('1 change waiting for your decision');
    expect(mine.told.at(-1)).toMatch(/ changed “My picture” while you changed it. What you changed waits.$/);
    await mine.saving.conflicts.settle(() => 'theirs');
    await saved(mine);
    for (const { elements } of [mine.document.room, await stored(room)])
      expect(elements[0]).toMatchObject({ name: 'Their picture', width: 300 });
  });

  test('the same field, away for over a minute: mine goes over that of my other window when that is wanted', async () => {
    const { room, mine, id, whileAway } = await pair();
    await whileAway(AWAY + 5000, async () => {
      rename(mine, id, 'My picture');
      await api.client().elements.update({ params: { id }, body: { name: 'Their picture', width: 300 } });
    });
    expect(await held(mine)).toMatchObject({ kind: 'changed', isOwn: true });
    expect(mine.told.at(-1)).toMatch(/^You, in another window, changed “My picture” while you changed it/);
    await mine.saving.conflicts.settle(() => 'mine');
    await saved(mine);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'My picture', width: 300 });
    expect(mine.document.room.elements[0]).toMatchObject({ name: 'My picture', width: 300 });
  });

  test('a conflict holds only its own element, is said once, and its notification ends with it', async () => {
    const { room, mine, id, change, whileAway } = await pair();
    await whileAway(AWAY + 5000, async () => {
      rename(mine, id, 'My picture');
      await change({ name: 'Their picture' });
      await change({ name: 'Their better picture' });
    });
    await held(mine);
    const said = mine.told.filter((text) => text.includes('What you changed waits.'));
    expect(said).toHaveLength(1);
    const offer = mine.offers.at(-1)!;
    expect(offer.isValid!()).toBe(true);
    add(mine, 'light', { name: 'Lamp' });
    mine.document.run({ type: 'room.update', fields: { width: 900 } }, { label: 'Room' });
    await when(() => mine.saving.queue.waiting === 1, { timeout: 30_000 });
    const now = await stored(room);
    expect(now).toMatchObject({ width: 900 });
    expect(outline(now.elements)).toEqual(['Their better picture', 'Lamp']);
    expect(mine.saving.text).toBe('1 change waiting for your decision');
    await mine.saving.conflicts.settle(() => 'mine');
    await saved(mine);
    expect(offer.isValid!()).toBe(false);
    expect(outline((await stored(room)).elements)).toEqual(['My picture', 'Lamp']);
  });

  test('removing the element of a conflict ends it', async () => {
    const { room, mine, id, change, whileAway } = await pair();
    await whileAway(AWAY + 5000, async () => {
      rename(mine, id, 'My picture');
      await change({ name: 'Their picture' });
    });
    await held(mine);
    mine.document.run({ type: 'element.remove', id }, { label: 'Remove' });
    await saved(mine);
    expect(mine.saving.conflicts.next).toBeNull();
    expect((await stored(room)).elements).toEqual([]);
  });

  test('removing the group of an element in conflict ends it', async () => {
    const { room, mine, id, change, whileAway } = await pair();
    const group = add(mine, 'group', { name: 'Wall' });
    mine.document.run({ type: 'element.move', id, parent: group }, { label: 'Move' });
    await saved(mine);
    await whileAway(AWAY + 5000, async () => {
      rename(mine, id, 'My picture');
      await change({ name: 'Their picture' });
    });
    await held(mine);
    mine.document.run({ type: 'element.remove', id: group }, { label: 'Remove' });
    await saved(mine);
    expect(mine.saving.conflicts.next).toBeNull();
    expect((await stored(room)).elements).toEqual([]);
  });

  test('different fields: both are kept without a question', async () => {
    const { room, mine, id, change, whileAway } = await pair();
    await whileAway(AWAY + 5000, async () => {
      rename(mine, id, 'My picture');
      await change({ width: 300 });
    });
    await saved(mine);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'My picture', width: 300 });
    expect(mine.document.room.elements[0]).toMatchObject({ name: 'My picture', width: 300 });
  });

  test('the settings of the room are asked about as well', async () => {
    const { room, mine, theirs, whileAway } = await pair();
    await whileAway(AWAY + 5000, async () => {
      mine.document.run({ type: 'room.update', fields: { title: 'My hall', width: 900 } }, { label: 'Room' });
      await theirs.rooms.update({ params: { id: room }, body: { title: 'Their hall' } });
    });
    expect(await held(mine)).toMatchObject({ id: null, fields: [{ path: 'title', mine: 'My hall' }] });
    await mine.saving.conflicts.settle(({ path }) => (path === 'title' ? 'theirs' : 'mine'));
    await saved(mine);
    expect(await stored(room)).toMatchObject({ title: 'Their hall', width: 900 });
  });

  test('what another removed is said with what is lost of mine, and comes back with my change when that is wanted', async () => {
    const { room, mine, id, theirs, whileAway } = await pair();
    await whileAway(0, async () => {
      rename(mine, id, 'My picture');
      await theirs.elements.remove({ params: { id } });
    });
    await saved(mine);
    expect(outline(mine.document.room.elements)).toEqual([]);
    expect(mine.told).toContainEqual(
      expect.stringMatching(/^(?!Somebody).+ removed what you changed. Not saved: Name of “My picture”.$/),
    );
    expect(mine.offers.at(-1)!.isValid!()).toBe(true);
    mine.offers.at(-1)!.act();
    await saved(mine);
    expect(mine.offers.at(-1)!.isValid!()).toBe(false);
    expect(outline((await stored(room)).elements)).toEqual(['My picture']);
    expect(outline(mine.document.room.elements)).toEqual(['My picture']);
  });

  test('what another does comes in without loading anew, and is said', async () => {
    const { room, mine, id, change, theirs } = await pair();
    await change({ name: 'Their picture' });
    const group = await theirs.rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Wall' } });
    await theirs.elements.reorder({ body: { sort: [group.id] } });
    await mine.saving.log.follow();
    expect(outline(mine.document.room.elements)).toEqual(['Wall', 'Their picture']);
    expect(mine.document.room.elements[1]!.id).toBe(id);
    expect(mine.told).toHaveLength(1);
    // It is no step of the own history, and edits go on from there.
    expect(mine.document.steps).toHaveLength(1);
    rename(mine, id, 'Ours');
    await saved(mine);
    expect(spotOf(mine.document.room.elements, id)?.parent).toBeNull();
    expect(outline((await stored(room)).elements)).toEqual(['Wall', 'Ours']);
  });

  test('whoever shows the document is told of what differs, and of nothing else', async () => {
    const { mine, id, change, theirs, room, whileAway } = await pair();
    const other = await theirs.rooms.addElement({ params: { id: room }, body: { element: 'image', name: 'Other' } });
    await mine.saving.log.follow();
    const told: unknown[] = [];
    await whileAway(0, async () => {
      rename(mine, id, 'My picture');
      add(mine, 'light', { name: 'Lamp' });
      mine.document.onCommand((command) => told.push(command));
      await change({ name: 'Their picture', width: 300 });
      await theirs.elements.update({ params: { id: other.id }, body: { height: 40 } });
    });
    await saved(mine);
    expect(told).toEqual([
      { type: 'element.update', id, fields: { width: 300 } },
      { type: 'element.update', id: other.id, fields: { height: 40 } },
    ]);
  });
});
