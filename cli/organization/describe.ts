import { isRecord } from '../../engine/document/field-paths.ts';
import type { Change, Comparison } from './compare.ts';
import { NOUNS } from './format.ts';
import { type Ids, inOrder, type Nested, renumberRoom, withIds } from './portable.ts';
import { type Json, sorted } from './snapshot.ts';

/** Changed fields named in a line. */
const MAX_FIELDS = 8;
/** Differences of a room that are listed. */
const MAX_LISTED = 20;
/** Above every position, so that these never match an existing element. */
const NEW_IDS = 1_000_000;

const withoutPlace = ({ id: _, children: _below, ...element }: Nested) => JSON.stringify(sorted(element));

/**
 * Matches the elements of two versions of a room, which have positions instead of ids: equal ones first, then those of the
 * same type and name, then those of the same type.
 * @returns positions in the first version by positions in the second one
 */
export function matchElements(before: readonly Nested[], after: readonly Nested[]): Map<number, number> {
  const found = new Map<number, number>();
  let [old, fresh] = [[...inOrder(before)], [...inOrder(after)]];
  const keys: ((element: Nested) => string)[] = [
    withoutPlace,
    ({ element, name }) => JSON.stringify([element, name ?? '']),
    ({ element }) => element,
  ];
  for (const keyOf of keys) {
    const groups = Map.groupBy(old, keyOf);
    for (const element of fresh) {
      const twin = groups.get(keyOf(element))?.shift();
      if (twin) found.set(element.id, twin.id);
    }
    const taken = new Set(found.values());
    old = old.filter(({ id }) => !taken.has(id));
    fresh = fresh.filter(({ id }) => !found.has(id));
  }
  return found;
}

/** Numbers for names, the same in both documents, so that they can be read as rooms. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  readonly of = (name: string): number => {
    const known = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, known);
    return known;
  };

  get ids(): Ids {
    return {
      feed: this.of,
      liveStream: this.of,
      block: (name) => ({ id: this.of(name), version: 1 }),
      viewPoint: (_path, position) => position,
    };
  }
}

/** How a room differs, one difference per line. */
async function roomDifferences(before: Json, after: Json): Promise<string[]> {
  const { differences, sentenceOf } = await import('../../engine/document/difference.ts');
  const { asRoom } = await import('../rooms/room-argument.ts');
  const numbers = new Numbers();
  const match = matchElements(before.elements as Nested[], after.elements as Nested[]);
  const ids = new Map(
    [...inOrder(after.elements as Nested[])].map(({ id }) => [id, match.get(id) ?? NEW_IDS + id] as const),
  );
  const roomOf = (document: Json) => {
    const { template_name: name, folder: _, ...own } = withFileIds(withIds(document, numbers.ids), numbers) as Json;
    return asRoom(
      { ...own, id: 1, template_id: typeof name === 'string' ? numbers.of(`template ${name}`) : null },
      'room',
    );
  };
  return differences(roomOf(before), roomOf(renumberRoom(after, ids))).map(sentenceOf);
}

/** A document whose elements refer to their files by id, too: differences compare these. */
function withFileIds(value: unknown, numbers: Numbers): unknown {
  if (Array.isArray(value)) return value.map((entry) => withFileIds(entry, numbers));
  if (!isRecord(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withFileIds(entry, numbers)]));
  if (isRecord(own.file) && typeof own.file.url === 'string') own.file_id = numbers.of(own.file.url);
  return own;
}

interface Token extends Json {
  token: string;
}

/** How the access tokens of a structure differ, without naming any. */
function tokenDifferences(before: Json, after: Json): string[] {
  const [old, fresh] = [before, after].map(
    ({ tokens }) => new Map((tokens as Token[]).map((each) => [each.token, JSON.stringify(each)])),
  ) as [Map<string, string>, Map<string, string>];
  const added = [...fresh.keys()].filter((token) => !old.has(token)).length;
  const removed = [...old.keys()].filter((token) => !fresh.has(token)).length;
  const changed = [...fresh].filter(([token, text]) => old.has(token) && old.get(token) !== text).length;
  return [`${added} added, ${removed} removed, ${changed} changed`];
}

const listed = (fields: readonly string[]): string =>
  fields.length > MAX_FIELDS ? `${fields.slice(0, MAX_FIELDS).join(', ')} and more` : fields.join(', ');

/** A change for messages, such as `structure museum`. */
export const subjectOf = ({ kind, name }: Pick<Change, 'kind' | 'name'>): string =>
  kind === 'settings'
    ? 'the settings'
    : kind === 'tokens'
      ? `the access tokens of ${name}`
      : `the ${NOUNS[kind]} "${name}"`;

/** Details of a change, one per line; empty if its fields are enough. */
async function detailsOf({ kind, action, from, to }: Change): Promise<string[]> {
  if (action !== 'update' || !from || !to) return [];
  if (kind === 'tokens') return tokenDifferences(await from.read(), await to.read());
  if (kind !== 'rooms') return [];
  const found = await roomDifferences(await from.read(), await to.read());
  const more = found.length > MAX_LISTED ? [`and ${found.length - MAX_LISTED} more`] : [];
  return [...found.slice(0, MAX_LISTED), ...more];
}

/** A difference between two organizations. */
export interface Described extends Pick<Change, 'kind' | 'action' | 'name' | 'fields'> {
  text: string;
  details: string[];
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** All differences in sentences. @param names what both are called in them */
export async function describeChanges(
  { changes, isReordered }: Comparison,
  names: readonly [first: string, second: string],
): Promise<Described[]> {
  const described: Described[] = [];
  for (const change of changes) {
    const { kind, action, name, fields } = change;
    const subject = capitalized(subjectOf(change));
    const text =
      action === 'update'
        ? `${subject} ${kind === 'tokens' || kind === 'settings' ? 'differ' : 'differs'}: ${listed(fields)}.`
        : `${subject} ${kind === 'tokens' ? 'exist' : 'exists'} only in the ${action === 'create' ? names[1] : names[0]}.`;
    described.push({ kind, action, name, fields, text, details: await detailsOf(change) });
  }
  if (isReordered)
    described.push({
      kind: 'endpoints',
      action: 'update',
      name: '',
      fields: ['order'],
      text: 'The structures have another order.',
      details: [],
    });
  return described;
}
