import { isRecord, isSame } from './field-paths.ts';

type Json = Record<string, unknown>;

/** A place that both sides changed. */
export interface MergeConflict {
  /** Key of the change, as of `keyOf`. */
  key: string;
  /** Message with the location. */
  text: string;
}

/** A merged document and its conflicts. */
export interface Merged {
  document: Json;
  /** In a conflict, the document has our value unless decided otherwise. */
  conflicts: MergeConflict[];
}

/** Chooses a side for a change by its key; undefined leaves it to the merge. */
export type Decide = (key: string) => 'ours' | 'theirs' | undefined;

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

/** A vector is one value. */
const isVector = (value: unknown): boolean => isRecord(value) && 'x' in value;
/** Components of an element that are stored as one field per axis. */
const AXIS = /^(position|rotation|scale)_[xyz]$/;

const elementNameOf = ({ name, element, id }: Json): string => (name ? `"${name}"` : `${element} ${id}`);

/** Decides between the sides, and collects merge conflicts. */
class Sides {
  readonly conflicts: MergeConflict[] = [];
  readonly decide: Decide;

  constructor(decide: Decide) {
    this.decide = decide;
  }

  note(key: string, text: string): void {
    this.conflicts.push({ key, text });
  }

  /** Three-way merge of a value; ours if both sides changed it. */
  merge(place: Place, base: unknown, ours: unknown, theirs: unknown): unknown {
    if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
    if ([ours, theirs].every((value) => isRecord(value) && !isVector(value)))
      return this.fields(place, isRecord(base) ? base : {}, ours as Json, theirs as Json);
    const decided = this.decide(place.key);
    const isConflict = !isSame(ours, base);
    if (isConflict)
      this.note(
        place.key,
        `${place.text}: ours ${JSON.stringify(ours ?? null)}, theirs ${JSON.stringify(theirs ?? null)}`,
      );
    if (decided) return decided === 'ours' ? ours : theirs;
    return isConflict ? ours : theirs;
  }

  fields(place: Place, base: Json, ours: Json, theirs: Json): Json {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const merged = [...names].map((name): [string, unknown] => [
      name,
      this.merge(place.in(name), base[name], ours[name], theirs[name]),
    ]);
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
}

/** Location of a value in a document. */
class Place {
  /** Location in words. */
  readonly text: string;
  readonly #of: string;
  readonly #path: string;

  constructor(text: string, of: string, path = '') {
    [this.text, this.#of, this.#path] = [text, of, path];
  }

  /** Key of its change. */
  get key(): string {
    return `${this.#of} ${this.#path.replace(AXIS, '$1')}`;
  }

  in(name: string): Place {
    return new Place(`${this.text}.${name}`, this.#of, this.#path ? `${this.#path}.${name}` : name);
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
function mergePieces(base: Taken, ours: Taken, theirs: Taken, sides: Sides): Map<number, Piece> {
  const merged = new Map<number, Piece>();
  const isChanged = (id: number, side: Taken): boolean => {
    const was = base.pieces.get(id);
    return was !== undefined && !isSame(was.fields, side.pieces.get(id)?.fields);
  };
  /** Key of the addition or removal of an element: that of its topmost group that is added or removed with it. */
  const keyOn = (id: number, has: Taken, lacks: Taken): string => {
    const isListed = (at: number): boolean =>
      !lacks.pieces.has(at) && (has === ours || !base.pieces.has(at) || isChanged(at, theirs));
    let top = id;
    for (let at: number | null = id; at !== null && isListed(at); at = has.pieces.get(at)?.parent ?? null) top = at;
    return String(top);
  };
  for (const id of new Set([...ours.pieces.keys(), ...theirs.pieces.keys()])) {
    const [was, mine, other] = [base.pieces.get(id), ours.pieces.get(id), theirs.pieces.get(id)];
    if (mine && other) {
      const place = new Place(`element ${id}`, String(id));
      const fields = sides.fields(place, was?.fields ?? {}, mine.fields, other.fields);
      const parent = sides.merge(place.in('parent'), was?.parent ?? null, mine.parent, other.parent);
      merged.set(id, { fields, parent: parent as number | null, names: namesOf(mine.names, other.names) });
      continue;
    }
    const [left, side] = mine ? [mine, ours] : [other!, theirs];
    const isConflict = isChanged(id, side);
    // Our own additions and removals need no decision.
    const isOwn = mine ? !was : was && !isConflict;
    const key = mine ? keyOn(id, ours, theirs) : keyOn(id, theirs, ours);
    const decided = isOwn ? 'ours' : sides.decide(key);
    if (decided ? (decided === 'ours') === Boolean(mine) : isConflict || !was) merged.set(id, left);
    if (isConflict)
      sides.note(key, `element ${id} ${elementNameOf(left.fields)}: removed by one side, changed by the other`);
  }
  return merged;
}

/** The order of siblings: from the side that changed it, with new elements after their predecessors. */
function mergeOrder(base: readonly number[], ours: readonly number[], theirs: readonly number[]): number[] {
  const [first, second] = isSame(ours, base) ? [theirs, ours] : [ours, theirs];
  const order = [...first];
  const known = new Set(first);
  for (const [index, id] of second.entries()) {
    if (known.has(id)) continue;
    const before = order.indexOf(second[index - 1]!);
    order.splice(before + 1, 0, id);
  }
  return order;
}

/**
 * Three-way merge of two documents, by element and by field.
 * @param base the common ancestor; an empty object if there is none
 * @param decide decisions by key; by default, ours in conflicts and every other change
 */
export function mergeDocuments(base: Json, ours: Json, theirs: Json, decide: Decide = () => undefined): Merged {
  const sides = new Sides(decide);
  const [was, mine, other] = [takeApart(base), takeApart(ours), takeApart(theirs)];
  const room = sides.fields(new Place('room', 'room'), was.room, mine.room, other.room);
  const pieces = mergePieces(was, mine, other, sides);
  const below = Map.groupBy(pieces, ([, { parent }]) => parent);
  const place = (parent: number | null): Json[] => {
    const orders = [was, mine, other].map(({ orders }) => orders.get(parent) ?? []);
    const order = mergeOrder(orders[0]!, orders[1]!, orders[2]!);
    const places = new Map(order.map((id, index) => [id, index]));
    const placeOf = (id: number): number => places.get(id) ?? Infinity;
    const here = (below.get(parent) ?? []).map(([id]) => id).sort((a, b) => placeOf(a) - placeOf(b) || 0);
    return here.map((id) => assemble(pieces.get(id)!, parent, place(id)));
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
      sides.note(
        `${id} parent`,
        `element ${id} ${elementNameOf(piece.fields)}: its group was removed; moved to the top level`,
      );
      elements.push(assemble(piece, null, []));
    }
  return { document: { ...room, elements }, conflicts: sides.conflicts };
}
