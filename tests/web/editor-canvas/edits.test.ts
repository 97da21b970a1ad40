import { describe, expect, test } from 'vitest';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { applyCommand } from '../../../engine/document/commands.ts';
import { descriptors, ELEMENT_TYPES, type Element } from '../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { branchOf, childrenOf, findElement, flatten } from '../../../engine/document/tree.ts';
import { buildRoom, type CanvasPage } from '../../harness/canvas-page.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
/** Few pixels, for they are drawn without a graphics card; still wide enough that nothing is folded. */
const open = sharedCanvas(suite, { width: 1000, height: 520 });

/** Milliseconds that saving hundreds of edits may take on a slow machine. */
const PATIENCE = 100_000;

const saved = ({ page }: CanvasPage) =>
  page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor({ timeout: PATIENCE });
const stored = async (id: number) => (await suite.app.client.rooms.read({ params: { id } })).elements;

describe('what is done on the canvas', () => {
  test('every element type is moved, turned and sized, saved, and the same when it is loaded again', async () => {
    const { id, ids } = await buildRoom(
      suite.app,
      ELEMENT_TYPES.map((element) => ({ element, name: descriptors[element].label })),
    );
    const canvas = await open(id);
    const { page } = canvas;
    const tree = page.getByRole('tree', { name: 'Elements', exact: true });
    const bar = page.getByRole('toolbar', { name: 'Coordinates' });
    for (const type of ELEMENT_TYPES) {
      await tree.getByTitle(descriptors[type].label, { exact: true }).click();
      for (const [mode, field, value] of [
        ['Move', 'Position X', '40'],
        ['Rotate', 'Rotation Y', '90'],
        ['Scale', 'Scale Z', '2'],
      ] as const) {
        await bar.getByRole('button', { name: mode, exact: true }).click();
        await bar.getByLabel(field).fill(value);
        await bar.getByLabel(field).press('Enter');
      }
    }
    await saved(canvas);
    const elements = flatten(await stored(id));
    for (const { name, position_x, rotation_y, scale_z } of elements)
      expect([name, position_x, rotation_y.toFixed(5), scale_z]).toEqual([name, 40, (Math.PI / 2).toFixed(5), 2]);
    await page.reload();
    await page.locator('[aria-label="Room"][data-state="ready"]').waitFor({ timeout: PATIENCE });
    for (const element of elements) expect(await canvas.element(ids[element.name]!)).toEqual(element);
    expect(canvas.faults).toEqual([]);
  });

  test('200 random edits undone give the identical room, redone the edited one; canvas and server follow', async () => {
    const { id } = await buildRoom(suite.app, [
      { element: 'group', name: 'A', children: [{ element: 'light', name: 'B' }] },
      { element: 'button', name: 'C' },
    ]);
    const canvas = await open(id);
    const { page } = canvas;
    const roomOf = async () =>
      (await page.evaluate(() => JSON.parse(JSON.stringify(window.enfiladeCanvas!.document.room)))) as Room;
    const drawn = async () =>
      page.evaluate(() => JSON.parse(JSON.stringify(window.enfiladeCanvas!.stage!.scene.room.elements)) as Element[]);
    const before = await roomOf();
    const lease = { client: 'test', mutation: 1, commands: [], lease: 200 };
    const { leased } = await suite.app.client.rooms.commit({ params: { id }, body: lease });
    const edits = randomEdits(before, leased);
    const edited = edits.reduce((room, edit) => applyCommand(room, edit).room, before);
    await page.evaluate((commands) => {
      for (const command of commands) window.enfiladeCanvas!.document.run(command, { label: 'Edit' });
    }, edits);
    expect(content(await roomOf())).toEqual(content(edited));
    await saved(canvas);
    // What is saved while one undoes must not get in its way.
    await page.evaluate(() => {
      const { document } = window.enfiladeCanvas!;
      while (document.canUndo) document.undo();
    });
    expect(content(await roomOf())).toEqual(content(before));
    await saved(canvas);
    expect((await drawn()).map(unkeyed)).toEqual(before.elements.map(unkeyed));
    await page.evaluate(() => {
      const { document } = window.enfiladeCanvas!;
      while (document.canRedo) document.redo();
    });
    expect(content(await roomOf())).toEqual(content(edited));
    await saved(canvas);
    expect((await drawn()).map(unkeyed)).toEqual(edited.elements.map(unkeyed));
    expect(outline(flatten(await stored(id)))).toEqual(outline(edited.elements));
    expect(canvas.faults).toEqual([]);
  });
});

/** Without the key, which the server chooses: what counts is the order. */
const unkeyed = ({ index: _, ...element }: Element) => element;
const content = ({ elements, ...room }: Room) => ({ ...room, elements: elements.map(unkeyed) });

/** Names and places. */
const outline = (elements: readonly Element[]): unknown[] =>
  elements.map(({ id, parent_element_id, name, hidden, position_x }) => [
    id,
    parent_element_id,
    name,
    hidden,
    position_x,
  ]);

/** Edits that follow each other, always the same: what is drawn fast, so that only the edits take time. */
function randomEdits(start: ReturnType<typeof parseRoom>, ids: readonly number[]): RoomCommand[] {
  let seed = 7;
  const below = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * limit);
  };
  const behind = (siblings: readonly Element[]) => siblings[below(siblings.length + 1) - 1]?.id ?? null;
  let room = start;
  return ids.map((_, step): RoomCommand => {
    const command = edit(step);
    room = applyCommand(room, command).room;
    return command;
  });

  function edit(step: number): RoomCommand {
    const all = room.elements;
    const one = all[below(all.length)];
    const kind = below(6);
    if (!one || (kind === 0 && all.length < 40)) {
      const element = parseRoom({
        ...{ id: 1, title: 'New' },
        elements: [{ id: ids[step]!, element: below(2) ? 'group' : 'light', name: `No. ${step}` }],
      }).elements[0]!;
      return { type: 'element.add', elements: [element], parent: null, after: behind(childrenOf(room.elements, null)) };
    }
    if (kind === 1) return { type: 'element.remove', id: one.id };
    if (kind === 2) {
      const inside = new Set(branchOf(room.elements, one.id).map(({ id }) => id));
      const parents = [
        null,
        ...all.filter((other) => other.element === 'group' && !inside.has(other.id)).map(({ id }) => id),
      ];
      const parent = parents[below(parents.length)]!;
      const siblings = childrenOf(room.elements, parent).filter(({ id }) => id !== one.id);
      return { type: 'element.move', id: one.id, parent, after: behind(siblings) };
    }
    const known = findElement(room.elements, one.id)!;
    if (kind === 3) return { type: 'element.update', id: one.id, fields: { hidden: !known.hidden } };
    if (kind === 4) return { type: 'element.update', id: one.id, fields: { name: `Named ${step}` } };
    return { type: 'element.update', id: one.id, fields: { position_x: below(500), position_y: below(100) } };
  }
}
