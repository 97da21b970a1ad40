import type { RoomCommand } from '../../engine/document/commands.ts';
import type { Element } from '../../engine/document/element.ts';
import { branchOf, childrenOf, findElement } from '../../engine/document/tree.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import type { Editor } from '../../src/editor/session/editor-context.ts';

const TYPES = ['group', 'text', 'button', 'light'] as const;
const NAMES = ['Red', 'Blue', 'Grüße', '', '世界'];

/** Makes random edits in an open editor, like a user would. */
export async function editAtRandom({ document, ids }: Editor, random: () => number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const all = document.room.elements;
  const place = (without?: Element) => {
    const inside = new Set(without ? branchOf(document.room.elements, without.id).map(({ id }) => id) : []);
    const parents = all.filter(({ id }) => !inside.has(id));
    const parent = random() < 0.5 || parents.length === 0 ? null : pick(parents).id;
    const others = childrenOf(document.room.elements, parent).filter(({ id }) => id !== without?.id);
    return { parent, after: others[Math.floor(random() * (others.length + 1)) - 1]?.id ?? null };
  };
  const run = (command: RoomCommand) => document.run(command, { label: command.type });
  const kind = random();
  if (kind < 0.08) return document.undo();
  if (kind < 0.12) return document.redo();
  if (kind < 0.45 || all.length < 3) {
    const [id] = (await ids.taken(1)) ?? [];
    if (id === undefined) return;
    const to = place();
    const element = { ...newElement(pick(TYPES), id), name: pick(NAMES), parent_element_id: to.parent } as Element;
    if (to.parent === null || findElement(document.room.elements, to.parent))
      run({ type: 'element.add', elements: [element], ...to });
    return;
  }
  const element = pick(all);
  const fields = { name: pick(NAMES), position_x: Math.round(random() * 100), hidden: kind < 0.5 };
  if (kind < 0.7) run({ type: 'element.update', id: element.id, fields });
  else if (kind < 0.85) run({ type: 'element.move', id: element.id, ...place(element) });
  else if (kind < 0.93) run({ type: 'element.remove', id: element.id });
  else run({ type: 'room.update', fields: { title: `Hall ${pick(NAMES)}`, config: { ambient_light: kind } } });
}
