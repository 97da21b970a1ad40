import { isRecord, isSame } from '../../engine/document/field-paths.ts';

type Json = Record<string, unknown>;

/** A merged document and its conflicts. */
export interface Merged {
  document: Json;
  /** Messages, each with the location. In a conflict, the document has our value. */
  conflicts: string[];
}

/** An element without its position. */
interface Piece {
  fields: Json;
  parent: number | null;
  /** Names of all fields in document order, including position and children. */
  names: readonly string[];
}

/** A document split into its own fields, its elements by id, and the order of each element's children. */
interface Taken {
  room: Json;
  pieces: Map<number, Piece>;
  orders: Map<number | null, number[]>;
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function takeApart({ elements, ...room }: Json): Taken {
  const taken: Taken = { room, pieces: new Map(), orders: new Map() };
  const visit = (list: Json[], parent: number | null): void => {
    const order: number[] = [];
    for (const element of list) {
      const { children, parent_element_id: _parent, index: _index, ...fields } = element;
      const id = Number(fields.id);
      order.push(id);
      taken.pieces.set(id, { fields, parent, names: Object.keys(element) });
      visit(listOf(children), id);
    }
    taken.orders.set(parent, order);
  };
  visit(listOf(elements), null);
  return taken;
}

const elementNameOf = ({ name, element, id }: Json): string => (name ? `"${name}"` : `${element} ${id}`);

/** Collects merge conflicts. */
class Conflicts {
  readonly list: string[] = [];

  /** Three-way merge of a value; ours if both sides changed it. */
  merge(place: string, base: unknown, ours: unknown, theirs: unknown): unknown {
    if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
    if (isSame(ours, base)) return theirs;
    if (isRecord(ours) && isRecord(theirs)) return this.fields(place, isRecord(base) ? base : {}, ours, theirs);
    this.list.push(`${place}: ours ${JSON.stringify(ours ?? null)}, theirs ${JSON.stringify(theirs ?? null)}`);
    return ours;
  }

  fields(place: string, base: Json, ours: Json, theirs: Json): Json {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const merged = [...names].map((name): [string, unknown] => [
      name,
      this.merge(`${place}.${name}`, base[name], ours[name], theirs[name]),
    ]);
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
}

/** Field names of both sides in the order of the first; fields it lacks go before the children. */
function namesOf(mine: readonly string[], other: readonly string[]): string[] {
  const more = other.filter((name) => !mine.includes(name));
  const last = mine.at(-1) === 'children' ? mine.length - 1 : mine.length;
  return [...mine.slice(0, last), ...more, ...mine.slice(last)];
}

/** An element at its position, with the fields of its source document, exported or written by hand. */
function assemble({ fields, names }: Piece, parent: number | null, children: Json[]): Json {
  const placed: Json = { ...fields, parent_element_id: parent, children };
  const all = children.length > 0 && !names.includes('children') ? [...names, 'children'] : names;
  return Object.fromEntries(all.filter((name) => placed[name] !== undefined).map((name) => [name, placed[name]]));
}

/** Decides which elements remain: an element is removed if one side removed it and the other didn't change it. */
function mergePieces(base: Taken, ours: Taken, theirs: Taken, conflicts: Conflicts): Map<number, Piece> {
  const merged = new Map<number, Piece>();
  for (const id of new Set([...ours.pieces.keys(), ...theirs.pieces.keys()])) {
    const [was, mine, other] = [base.pieces.get(id), ours.pieces.get(id), theirs.pieces.get(id)];
    if (mine && other) {
      const place = `element ${id}`;
      const fields = conflicts.fields(place, was?.fields ?? {}, mine.fields, other.fields);
      const parent = conflicts.merge(`${place}.parent`, was?.parent ?? null, mine.parent, other.parent);
      merged.set(id, { fields, parent: parent as number | null, names: namesOf(mine.names, other.names) });
      continue;
    }
    const left = (mine ?? other)!;
    if (was && isSame(was.fields, left.fields)) continue;
    if (was)
      conflicts.list.push(`element ${id} ${elementNameOf(left.fields)}: removed by one side, changed by the other`);
    merged.set(id, left);
  }
  return merged;
}

/** The order of siblings: from the side that changed it, with new elements after their predecessors. */
function mergeOrder(base: readonly number[], ours: readonly number[], theirs: readonly number[]): number[] {
  const [first, second] = isSame(ours, base) ? [theirs, ours] : [ours, theirs];
  const order = [...first];
  for (const [index, id] of second.entries()) {
    if (order.includes(id)) continue;
    const before = order.indexOf(second[index - 1]!);
    order.splice(before + 1, 0, id);
  }
  return order;
}

/**
 * Three-way merge of two documents, by element and by field.
 * @param base the common ancestor; an empty object if there is none
 */
export function mergeDocuments(base: Json, ours: Json, theirs: Json): Merged {
  const conflicts = new Conflicts();
  const [was, mine, other] = [takeApart(base), takeApart(ours), takeApart(theirs)];
  const room = conflicts.fields('room', was.room, mine.room, other.room);
  const pieces = mergePieces(was, mine, other, conflicts);
  const place = (parent: number | null): Json[] => {
    const orders = [was, mine, other].map(({ orders }) => orders.get(parent) ?? []);
    const order = mergeOrder(orders[0]!, orders[1]!, orders[2]!);
    const here = [...pieces].filter(([, piece]) => piece.parent === parent).map(([id]) => id);
    const sorted = here.toSorted((a, b) => (order.indexOf(a) + 1 || Infinity) - (order.indexOf(b) + 1 || Infinity));
    return sorted.map((id) => assemble(pieces.get(id)!, parent, place(id)));
  };
  const elements = place(null);
  // Elements whose group was removed move to the top level.
  const reached = new Set<number>();
  const note = (list: Json[]): void => {
    for (const element of list) {
      reached.add(Number(element.id));
      note(listOf(element.children));
    }
  };
  note(elements);
  for (const [id, piece] of pieces)
    if (!reached.has(id)) {
      conflicts.list.push(
        `element ${id} ${elementNameOf(piece.fields)}: its group was removed; moved to the top level`,
      );
      elements.push(assemble(piece, null, []));
    }
  return { document: { ...room, elements }, conflicts: conflicts.list };
}
