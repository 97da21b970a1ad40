import { isRecord, isSame } from '../../engine/document/field-paths.ts';
import { KINDS, type Kind, NOUNS } from './format.ts';
import { digestOf, type Entry, type Json, type Snapshot } from './snapshot.ts';

/** A difference between two snapshots. */
export interface Change {
  kind: Kind;
  /** What turns the first snapshot into the second one. */
  action: 'create' | 'update' | 'remove';
  name: string;
  /** Changed fields. */
  fields: string[];
  from: Entry | undefined;
  to: Entry | undefined;
}

/** An entry of both snapshots. */
export interface Pair {
  kind: Kind;
  from: Entry;
  to: Entry;
}

/** How a snapshot becomes another one. */
export interface Comparison {
  changes: Change[];
  pairs: Pair[];
  unchanged: number;
  /** Names that several entries have, which are paired in order. */
  clashes: string[];
  /** Whether the structures of both have another order. */
  isReordered: boolean;
}

/** Levels of nested objects in the names of changed fields. */
const DEPTH = 2;
/** Fields that are named as a whole. */
const WHOLE = new Set(['elements', 'element', 'texts', 'translations', 'tokens']);

/** Names of the fields that differ. */
function fieldsBetween(before: Json, after: Json, base = '', depth = 1): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted().flatMap((name) => {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (isSame(was, is)) return [];
    if (isRecord(was) && isRecord(is) && depth < DEPTH && !WHOLE.has(name))
      return fieldsBetween(was, is, `${base}${name}.`, depth + 1);
    return [base + name];
  });
}

/** The only entry with each alias. */
function byAlias(entries: readonly Entry[]): Map<string, Entry> {
  const groups = Map.groupBy(entries, ({ alias }) => alias);
  return new Map([...groups].flatMap(([alias, [first, second]]) => (alias && !second ? [[alias, first!]] : [])));
}

/** Entries with the same key on both sides: equal ones first, then in order. */
async function twins(from: readonly Entry[], to: readonly Entry[]): Promise<[Entry, Entry][]> {
  if (from.length === 0) return [];
  if (from.length === 1 && to.length === 1) return [[from[0]!, to[0]!]];
  const found: [Entry, Entry][] = [];
  const left = new Set(from);
  const others: Entry[] = [];
  const digests = new Map<Entry, string>();
  for (const entry of from) digests.set(entry, digestOf(await entry.read()));
  for (const entry of to) {
    const digest = digestOf(await entry.read());
    const equal = [...left].find((each) => digests.get(each) === digest);
    if (equal) found.push([equal, entry]);
    else others.push(entry);
    if (equal) left.delete(equal);
  }
  const rest = [...left];
  return [...found, ...rest.slice(0, others.length).map((entry, at): [Entry, Entry] => [entry, others[at]!])];
}

/** Pairs entries by key, and entries that have been moved or renamed by an alias that is unique on both sides. */
async function paired(kind: Kind, from: readonly Entry[], to: readonly Entry[]) {
  const groups = Map.groupBy(from, ({ key }) => key);
  const matched = new Map<Entry, Entry>();
  for (const [key, group] of Map.groupBy(to, (entry) => entry.key))
    for (const [before, after] of await twins(groups.get(key) ?? [], group)) matched.set(after, before);
  // In the order of the second snapshot.
  const pairs: Pair[] = to.flatMap((entry) => {
    const twin = matched.get(entry);
    return twin ? [{ kind, from: twin, to: entry }] : [];
  });
  const taken = new Set(matched.values());
  let left = to.filter((entry) => !matched.has(entry));
  let gone = from.filter((entry) => !taken.has(entry));
  const [old, fresh] = [byAlias(from), byAlias(to)];
  for (const entry of left) {
    const twin = old.get(entry.alias ?? '');
    if (twin && gone.includes(twin) && fresh.get(entry.alias!) === entry) pairs.push({ kind, from: twin, to: entry });
  }
  const known = new Set(pairs.flatMap((pair) => [pair.from, pair.to]));
  left = left.filter((entry) => !known.has(entry));
  gone = gone.filter((entry) => !known.has(entry));
  return { pairs, left, gone };
}

/** Kinds in which several entries can have the same name without harm. */
const REPEATABLE: ReadonlySet<Kind> = new Set(['media', 'webhooks']);

/** Names that several entries have, if they matter: those of the other snapshot, or all. */
function clashesIn(kind: Kind, { name: of, entries }: Snapshot, other: readonly Entry[] | null): string[] {
  if (REPEATABLE.has(kind)) return [];
  const wanted = other && new Set(other.map(({ key }) => key));
  return [...Map.groupBy(entries[kind], ({ key }) => key)]
    .filter(([key, group]) => group.length > 1 && (wanted?.has(key) ?? true))
    .map(([, group]) => {
      const ids = group.flatMap(({ id }) => id ?? []);
      const which = ids.length > 0 ? ` (IDs ${ids.join(', ')})` : '';
      return `${group.length} ${NOUNS[kind]}s are named "${group[0]!.name}"${which}: ${of}`;
    });
}

/** Compares two snapshots in the kinds that both have. */
export async function compareSnapshots(from: Snapshot, to: Snapshot): Promise<Comparison> {
  const result: Comparison = { changes: [], pairs: [], unchanged: 0, clashes: [], isReordered: false };
  for (const kind of KINDS.filter((each) => from.kinds.has(each) && to.kinds.has(each))) {
    result.clashes.push(...clashesIn(kind, from, to.entries[kind]), ...clashesIn(kind, to, null));
    const { pairs, left, gone } = await paired(kind, from.entries[kind], to.entries[kind]);
    const updates: Change[] = [];
    for (const pair of pairs) {
      const [before, after] = [await pair.from.read(), await pair.to.read()];
      if (digestOf(before) === digestOf(after)) result.unchanged++;
      else
        updates.push({
          kind,
          action: 'update',
          name: pair.to.name,
          fields: fieldsBetween(before, after),
          ...sides(pair),
        });
    }
    result.pairs.push(...pairs);
    for (const entry of left)
      result.changes.push({ kind, action: 'create', name: entry.name, fields: [], from: undefined, to: entry });
    result.changes.push(...updates);
    for (const entry of gone)
      result.changes.push({ kind, action: 'remove', name: entry.name, fields: [], from: entry, to: undefined });
    if (kind === 'endpoints') result.isReordered = isReordered(pairs, from.entries.endpoints);
  }
  return result;
}

const sides = ({ from, to }: Pair) => ({ from, to });

/** Whether structures with the same parent have another order. @param pairs in the order of the second snapshot */
function isReordered(pairs: readonly Pair[], before: readonly Entry[]): boolean {
  const places = new Map(before.map((entry, at) => [entry, at]));
  const byParent = Map.groupBy(pairs, ({ from }) => from.key.split('/').slice(0, -1).join('/'));
  return [...byParent.values()].some((group) => {
    const order = group.map(({ from }) => places.get(from)!);
    return order.some((place, at) => at > 0 && place < order[at - 1]!);
  });
}
