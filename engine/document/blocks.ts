/**
 * Reusable blocks. A block is a group with its elements, numbered from 1 within the block. A place is a group in a room
 * that contains a copy; it names its block and version. The position of a place belongs to the place, its content to the
 * block. A block never contains places: places inside it become ordinary groups.
 */
import { MAX_BLOCK_ELEMENTS, MAX_PLAN_MARKS } from './constants.ts';
import type { Element, ElementOf } from './element.ts';
import { isSame } from './field-paths.ts';
import type { Navigation } from './navigation.ts';
import { type Renaming, remapElement } from './remap.ts';
import { withKeys } from './sibling-keys.ts';
import { byId } from './tree.ts';

/** The elements of a block in tree order: the group first, with its number 1, and no element of a room. */
export type BlockElements = readonly Element[];

/** A version of a block. */
export interface BlockVersion {
  id: number;
  version: number;
  elements: BlockElements;
}

type GroupElement = ElementOf<'group'>;

/** A group that is a place of a block. */
export type PlaceElement = GroupElement & { config: { block_id: number } };

export const isPlace = (element: Element): element is PlaceElement =>
  element.element === 'group' && element.config.block_id !== null;

/** Settings that make a group an ordinary group. */
export const DETACHED = { block_id: null, block_version: null, block_elements: null } as const;

/** A group that isn't a place; other elements stay unchanged. */
export function detached<T extends Element>(element: T): T {
  if (!isPlace(element)) return element;
  return { ...element, config: { ...element.config, ...DETACHED } };
}

/** Fields of the group that belong to the place. */
const OF_PLACE = [
  ...(['id', 'name', 'parent_element_id', 'index', 'hidden', 'editable'] as const),
  ...(['position_x', 'position_y', 'position_z', 'rotation_x', 'rotation_y', 'rotation_z'] as const),
  ...(['scale_x', 'scale_y', 'scale_z', 'visible_at', 'visible_between'] as const),
  ...(['start_time', 'end_time', 'time_zone', 'utc_offset'] as const),
] satisfies (keyof Element)[];

/** The values of those fields in a block. */
const NO_PLACE: Pick<GroupElement, (typeof OF_PLACE)[number]> = {
  ...{ id: 1, name: '', parent_element_id: null, index: 'a0', hidden: false, editable: true },
  ...{ position_x: 0, position_y: 0, position_z: 0, rotation_x: 0, rotation_y: 0, rotation_z: 0 },
  ...{ scale_x: 1, scale_y: 1, scale_z: 1, visible_at: [], visible_between: null },
  ...{ start_time: null, end_time: null, time_zone: null, utc_offset: null },
};

const placeFieldsOf = (group: Element): Partial<Element> =>
  Object.fromEntries(OF_PLACE.map((name) => [name, group[name]]));

/** An element without the data that a server derives from its file, stream or times. */
function withoutDerived<T extends Element>(element: T): T {
  const { file_id, start_time, end_time, time_zone } = element;
  const config: Record<string, unknown> = { ...element.config };
  if (file_id !== null && 'file_url' in config) config.file_url = '';
  if (file_id !== null && 'mime' in config) config.mime = '';
  if (element.element === 'live_stream' && element.config.live_stream_id !== null)
    Object.assign(config, { type: null, id: null, src: null });
  return {
    ...element,
    file: null,
    ...((start_time !== null || end_time !== null) && { visible_between: null }),
    ...(time_zone !== null && { utc_offset: null }),
    config,
  };
}

const NO_NUMBERS: ReadonlyMap<number, number> = new Map();

/** Ids that are not in a map have no target. */
const only = (ids: ReadonlyMap<number, number>): Renaming => ({ get: (id) => ids.get(id) ?? null });

/** An element with renamed references; those to other elements are dropped. */
function inside<T extends Element>(element: T, ids: ReadonlyMap<number, number>): T {
  const renamed = remapElement(element, only(ids));
  // Limited to other view points only, it would never be visible.
  const isNowhere = element.visible_at.length > 0 && element.visible_at.every((id) => !ids.has(id));
  return isNowhere ? { ...renamed, visible_at: [] } : renamed;
}

/** Content for a block. */
export interface NewBlock {
  elements: BlockElements;
  /** Names of the elements with links to elements outside the group, which the block lacks. */
  dropped: string[];
}

/**
 * Makes a block's content of a group.
 * @param branch the group and its descendants, in tree order
 * @param known numbers of some of them by their ids; the others get the next free ones
 * @param taken highest number that is taken
 * @throws RangeError if the first element isn't a group, or there are too many elements
 */
export function blockOf(
  branch: readonly Element[],
  known: ReadonlyMap<number, number> = NO_NUMBERS,
  taken = 1,
): NewBlock {
  const [group] = branch;
  if (group?.element !== 'group') throw new RangeError('A block is made of a group.');
  if (branch.length > MAX_BLOCK_ELEMENTS)
    throw new RangeError(`A block can contain at most ${MAX_BLOCK_ELEMENTS} elements.`);
  let last = Math.max(taken, ...known.values());
  const numbers = new Map(branch.map(({ id }) => [id, id === group.id ? 1 : (known.get(id) ?? ++last)]));
  const dropped: string[] = [];
  const elements = branch.map((element): Element => {
    const isGroup = element === group;
    const own = detached(isGroup ? ({ ...element, ...NO_PLACE, id: element.id } as Element) : element);
    const loose = remapElement(own, { get: (id) => (numbers.has(id) ? undefined : null) });
    const settled = inside(own, numbers);
    if (!isSame(loose, own) || settled.visible_at.length < own.visible_at.length)
      dropped.push(element.name || element.element);
    return {
      ...settled,
      id: numbers.get(element.id)!,
      parent_element_id: isGroup ? null : numbers.get(element.parent_element_id ?? 0)!,
      file: null,
    };
  });
  return { elements: withKeys(elements), dropped };
}

/**
 * Numbers for new content of a block, so that its elements keep theirs.
 * @param branch a place of the block, or the block's own elements with changes
 * @param base the version that the place contains, or the newest one
 */
export function numbersFor(branch: readonly Element[], blockId: number, base: BlockElements): Map<number, number> {
  const [group] = branch;
  const own = group && isPlace(group) && group.config.block_id === blockId ? (group.config.block_elements ?? []) : null;
  return new Map(
    base.slice(1).flatMap(({ id, element }, at): [number, number][] => {
      const mine = own ? own[at] : id;
      return branch.some((each) => each.id === mine && each.element === element) ? [[mine!, id]] : [];
    }),
  );
}

/** Content with numbers in tree order and without derived data: equal for equal blocks. */
const comparable = (elements: BlockElements): unknown[] =>
  blockOf(elements).elements.map((element) => {
    const { index: _key, ...fields } = withoutDerived(element);
    return fields;
  });

/** A check whether groups, of rooms or blocks, have the content of another; cheaper than single comparisons. */
export function sameContentAs(elements: BlockElements): (other: readonly Element[]) => boolean {
  let content: unknown[] | undefined;
  return (other) => {
    if (other.length !== elements.length) return false;
    content ??= comparable(elements);
    return isSame(comparable(other), content);
  };
}

/** Whether two groups, of rooms or blocks, have the same content. */
export const hasSameContent = (one: readonly Element[], other: readonly Element[]): boolean =>
  sameContentAs(other)(one);

/** A place with its elements, in tree order. @param ids one for each element of the block */
function placed(
  { id, version, elements }: BlockVersion,
  place: Partial<Element>,
  ids: ReadonlyMap<number, number>,
): Element[] {
  return elements.map((element): Element => {
    const own = { ...inside(element, ids), id: ids.get(element.id)! };
    if (element.id !== 1) return { ...own, parent_element_id: ids.get(element.parent_element_id!)! };
    const block_elements = elements.slice(1).map((each) => ids.get(each.id)!);
    const config = { ...own.config, block_id: id, block_version: version, block_elements };
    return { ...own, ...place, config } as Element;
  });
}

/**
 * A new place of a block, at the origin.
 * @param ids one id for each element of the block
 */
export function newPlace(block: BlockVersion, name: string, ids: readonly number[]): Element[] {
  const map = new Map(block.elements.map((element, at) => [element.id, ids[at]!]));
  return placed(block, { name, parent_element_id: null }, map);
}

/** Settings that turn a group into a place of a block with its content. @param branch the group and its descendants */
export const asPlace = ([group, ...others]: readonly Element[], { id, version }: Omit<BlockVersion, 'elements'>) => ({
  type: 'element.update' as const,
  id: group!.id,
  fields: { config: { block_id: id, block_version: version, block_elements: others.map((each) => each.id) } },
});

/** The places of a block in a room, in tree order. */
export const placesOf = (elements: readonly Element[], blockId: number): PlaceElement[] =>
  elements.filter((element): element is PlaceElement => isPlace(element) && element.config.block_id === blockId);

/** An update of a place: the elements that keep their ids, and those that need new ones. */
export interface Update {
  /** Ids by number in the new version. */
  kept: Map<number, number>;
  /** Numbers without an id. */
  missing: number[];
}

/**
 * Matches the elements of a place with those of another version: elements keep their ids, so that links to them, shares
 * and statistics stay right.
 * @param branch the place and its descendants, in tree order
 * @param base the version that it contains; undefined if it is no longer stored
 */
export function matchPlace(
  branch: readonly Element[],
  base: BlockElements | undefined,
  { id: blockId, elements }: BlockVersion,
): Update {
  const numbers = numbersFor(branch, blockId, base ?? []);
  const own = new Map([...numbers].map(([id, number]) => [number, id]));
  const types = new Map(branch.map(({ id, element }) => [id, element]));
  const kept = new Map([[1, branch[0]!.id]]);
  const missing: number[] = [];
  for (const { id, element } of elements.slice(1)) {
    const mine = own.get(id);
    if (mine !== undefined && types.get(mine) === element) kept.set(id, mine);
    else missing.push(id);
  }
  return { kept, missing };
}

/** An element of a place after an update, with its links to elements outside the place, which a block can't contain. */
function withOuterLinks(element: Element, before: Element, isOuter: (id: number) => boolean): Element {
  const config: Record<string, unknown> = { ...element.config };
  const had: Record<string, unknown> = before.config;
  const [link, old] = [config.navigation, had.navigation] as (Navigation | undefined)[];
  if (link?.type === 'view_point' && old?.type === 'view_point' && link.type_config.view_point_id === null) {
    const { view_point_id } = old.type_config;
    if (view_point_id !== null && isOuter(view_point_id))
      config.navigation = { ...link, type_config: { ...link.type_config, view_point_id } };
  }
  const [target, aim] = [config.target, had.target] as ({ element_id: number | null } | undefined)[];
  if (target?.element_id === null && aim && aim.element_id !== null && isOuter(aim.element_id))
    config.target = { ...target, element_id: aim.element_id };
  const [marks, all] = [config.plan_marks, had.plan_marks] as ({ view_point_id: number }[] | undefined)[];
  if (marks && all)
    config.plan_marks = [...marks, ...all.filter((mark) => isOuter(mark.view_point_id))].slice(0, MAX_PLAN_MARKS);
  const outer = before.visible_at.filter(isOuter);
  // An element that the block now shows everywhere isn't limited to view points outside it.
  const isLimited = element.visible_at.length > 0 || outer.length === before.visible_at.length;
  return { ...element, config, ...(isLimited && { visible_at: [...element.visible_at, ...outer] }) } as Element;
}

/**
 * Sets a place to a version of its block. Elements that stay keep their links to elements outside the place where the
 * block has none.
 * @param ids new ids for the missing elements
 */
export function updatedPlace(
  branch: readonly Element[],
  { kept, missing }: Update,
  block: BlockVersion,
  ids: readonly number[],
): Element[] {
  const all = new Map([...kept, ...missing.map((number, at): [number, number] => [number, ids[at]!])]);
  const before = byId(branch);
  const isOuter = (id: number) => !before.has(id);
  const own = placeFieldsOf(branch[0]!);
  return placed(block, {}, all).map((element, at) => {
    const old = before.get(element.id);
    const linked = old ? withOuterLinks(element, old, isOuter) : element;
    return at === 0 ? ({ ...linked, ...own } as Element) : linked;
  });
}

/** A place with its descendants in tree order, and the elements that replace them. */
export interface Replacement {
  branch: readonly Element[];
  after: readonly Element[];
}

/** The elements of a room with other contents of places that don't contain one another. */
export function withPlaces(elements: readonly Element[], replacements: readonly Replacement[]): Element[] {
  const byPlace = new Map(replacements.map((each) => [each.branch[0]!.id, each]));
  const all: Element[] = [];
  for (let at = 0; at < elements.length; ) {
    const found = byPlace.get(elements[at]!.id);
    all.push(...(found ? found.after : [elements[at]!]));
    at += found?.branch.length ?? 1;
  }
  return all;
}
