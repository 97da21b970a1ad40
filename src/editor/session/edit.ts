import type { ElementFields, RoomCommand, RoomFields } from '../../../engine/document/commands.ts';

export interface Edit {
  command: RoomCommand;
  inverse: RoomCommand;
}

type Fields = { config?: object };

/** Merges fields, with the second ones taking precedence; `config` is merged one level deep. */
export function overFields<T extends Fields>(first: T, second: T): T {
  const merged = { ...first, ...second };
  if (first.config || second.config) merged.config = { ...first.config, ...second.config };
  return merged;
}

/** Merges two updates of the same element or room; null for other edits. */
function mergedUpdate(one: Edit, other: Edit): Edit | null {
  const [was, is] = [one.command, other.command];
  const [back, backFirst] = [other.inverse, one.inverse];
  if (was.type === 'room.update' && is.type === 'room.update')
    return {
      command: { type: 'room.update', fields: overFields(was.fields, is.fields) },
      inverse: {
        type: 'room.update',
        fields: overFields((back as { fields: RoomFields }).fields, (backFirst as { fields: RoomFields }).fields),
      },
    };
  if (was.type !== 'element.update' || is.type !== 'element.update' || was.id !== is.id) return null;
  return {
    command: { type: 'element.update', id: is.id, fields: overFields(was.fields, is.fields) },
    inverse: {
      type: 'element.update',
      id: is.id,
      fields: overFields((back as { fields: ElementFields }).fields, (backFirst as { fields: ElementFields }).fields),
    },
  };
}

/** Appends edits to a step, merging updates of the same element, so that a long drag stays small. */
export function mergedEdits(edits: readonly Edit[], more: readonly Edit[]): Edit[] {
  const list = [...edits];
  for (const edit of more) {
    const last = list.at(-1);
    const merged = last && mergedUpdate(last, edit);
    if (merged) list[list.length - 1] = merged;
    else list.push(edit);
  }
  return list;
}
