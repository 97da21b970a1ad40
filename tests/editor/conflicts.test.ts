import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { placeInTree } from '../../engine/document/tree.ts';
import { ApiApp } from '../harness/api-app.ts';
import { add, endHeadless, held, openHeadless, outline, rename, saved } from '../harness/headless-editor.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

const newRoom = async () => (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number) => api.client().rooms.read({ params: { id } });

describe('two people in one room', () => {
  async function pair() {
    const room = await newRoom();
    const [mine, theirs] = [await openHeadless(api.client(), room), api.client(await api.addUser(api.one, POLICIES))];
    const id = add(mine, 'image', { name: 'Picture', width: 100 });
    await saved(mine);
    const row = (await stored(room)).elements[0]!;
    const change = (body: object) => theirs.elements.update({ params: { id: row.id }, body });
    return { room, mine, id, there: row.id, change, theirs };
  }
  const ALL = { view_any: true, create: true, update: true, delete: true };
  const POLICIES = { rooms: ALL };

  test('the same field: one sees who changed what, and takes theirs', async () => {
    const { room, mine, id, change } = await pair();
    await change({ name: 'Their picture' });
    rename(mine, id, 'My picture');
    const conflict = await held(mine);
    expect(conflict).toMatchObject({
      kind: 'changed',
      id,
      who: expect.stringMatching(/./),
      fields: [{ path: 'name', mine: 'My picture', theirs: 'Their picture', by: 'both' }],
    });
    await mine.saving.settle(() => 'theirs');
    await saved(mine);
    expect(mine.document.room.elements[0]!.name).toBe('Their picture');
    expect((await stored(room)).elements[0]!.name).toBe('Their picture');
  });

  test('the same field: mine goes over theirs when that is wanted', async () => {
    const { room, mine, id, change } = await pair();
    await change({ name: 'Their picture', width: 300 });
    rename(mine, id, 'My picture');
    await held(mine);
    await mine.saving.settle(() => 'mine');
    await saved(mine);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'My picture', width: 100 });
  });

  test('different fields: both are kept when that is wanted', async () => {
    const { room, mine, id, change } = await pair();
    await change({ width: 300 });
    rename(mine, id, 'My picture');
    expect(await held(mine)).toMatchObject({
      fields: [
        { path: 'name', by: 'me' },
        { path: 'width', theirs: 300, mine: 100, by: 'them' },
      ],
    });
    await mine.saving.settle(({ by }) => (by === 'them' ? 'theirs' : 'mine'));
    await saved(mine);
    expect((await stored(room)).elements[0]).toMatchObject({ name: 'My picture', width: 300 });
    expect(mine.document.room.elements[0]).toMatchObject({ name: 'My picture', width: 300 });
  });

  test('the settings of the room are asked about as well', async () => {
    const { room, mine, theirs } = await pair();
    await theirs.rooms.update({ params: { id: room }, body: { title: 'Their hall' } });
    mine.document.run({ type: 'room.update', fields: { title: 'My hall', width: 900 } }, { label: 'Room' });
    expect(await held(mine)).toMatchObject({ id: null, fields: [{ path: 'title', by: 'both' }, { path: 'width' }] });
    await mine.saving.settle(({ path }) => (path === 'title' ? 'theirs' : 'mine'));
    await saved(mine);
    expect(await stored(room)).toMatchObject({ title: 'Their hall', width: 900 });
  });

  test('what another removed comes back with my change, or goes here as well', async () => {
    for (const isWanted of [true, false]) {
      const { room, mine, id, theirs, there } = await pair();
      await theirs.elements.remove({ params: { id: there } });
      rename(mine, id, 'My picture');
      expect(await held(mine)).toMatchObject({ kind: 'removed', id });
      await mine.saving.settleRemoved(isWanted);
      await saved(mine);
      expect(outline((await stored(room)).elements)).toEqual(isWanted ? ['My picture'] : []);
      expect(outline(mine.document.room.elements)).toEqual(isWanted ? ['My picture'] : []);
    }
  });

  test('what another does comes in without loading anew, and is said', async () => {
    const { room, mine, id, change, theirs } = await pair();
    await change({ name: 'Their picture' });
    const group = await theirs.rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Wall' } });
    await theirs.elements.reorder({ body: { sort: [group.id] } });
    await mine.saving.follower.refresh();
    expect(outline(mine.document.room.elements)).toEqual(['Wall', 'Their picture']);
    expect(mine.document.room.elements[1]!.id).toBe(id);
    expect(mine.told).toHaveLength(1);
    // It is no step of the own history, and edits go on from there.
    expect(mine.document.steps).toHaveLength(1);
    rename(mine, id, 'Ours');
    await saved(mine);
    expect(placeInTree(mine.document.room.elements, id)).toEqual({ parent: null, index: 1 });
    expect(outline((await stored(room)).elements)).toEqual(['Wall', 'Ours']);
  });
});
