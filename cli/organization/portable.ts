import { isRecord } from '../../engine/document/field-paths.ts';
import { remapElement, remapRoomConfig } from '../../engine/document/remap.ts';
import type { Json } from './snapshot.ts';

/** Names of what documents refer to by id. */
export interface Names {
  feeds: ReadonlyMap<number, string>;
  live_streams: ReadonlyMap<number, string>;
  blocks: ReadonlyMap<number, string>;
  /** Position of a view point in the room of a structure, from 1; null if there is none. */
  viewPoint(path: string, id: number): number | null;
}

/** An element with its children, as in documents. */
export interface Nested extends Json {
  id: number;
  element: string;
  name?: string;
  config: Json;
  children: Nested[];
}

/** Elements in the order of the tree: each before its children. */
export function* inOrder(elements: readonly Nested[]): Generator<Nested> {
  for (const element of elements) {
    yield element;
    yield* inOrder(element.children ?? []);
  }
}

const isElement = (value: Json): boolean =>
  typeof value.element === 'string' && isRecord(value.config) && typeof value.id === 'number';

/** A link to a view point of another room, in a document. */
interface Arrival {
  path: string;
  arrival: Json & { view_point_id: number };
}

/** The path of the structure to which a link leads; undefined if it leads elsewhere. */
function targetOf(link: Json): string | undefined {
  if (!isRecord(link.type_config)) return undefined;
  const { endpoint_url, slug_one, slug_two } = link.type_config;
  if (link.type === 'space') return cleanPath(String(endpoint_url ?? ''));
  return link.type === 'slug' ? cleanPath([slug_one, slug_two].filter(Boolean).join('/')) : undefined;
}

/** A document whose links to structures contain their current paths. @param pathOf the path of a structure by its id */
export function withPaths<T>(value: T, pathOf: (id: number) => string | undefined): T {
  if (Array.isArray(value)) return value.map((entry) => withPaths(entry, pathOf)) as T;
  if (!isRecord(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withPaths(entry, pathOf)]));
  if (own.type !== 'space' || !isRecord(own.type_config)) return own as T;
  const { endpoint, endpoint_url: stored } = own.type_config;
  const path = typeof endpoint === 'number' ? pathOf(endpoint) : undefined;
  if (path === undefined || path === cleanPath(String(stored ?? ''))) return own as T;
  return { ...own, type_config: { ...own.type_config, endpoint_url: `/${path}` } } as T;
}

const cleanPath = (path: string): string => path.split('/').filter(Boolean).join('/');

/** Links to view points of other rooms, at any depth of a document. */
export function* arrivalsOf(value: unknown): Generator<Arrival> {
  if (Array.isArray(value)) for (const entry of value) yield* arrivalsOf(entry);
  else if (isRecord(value)) {
    const path = targetOf(value);
    const arrival = path !== undefined && (value.type_config as Json).arrival;
    if (path !== undefined && isRecord(arrival) && typeof arrival.view_point_id === 'number')
      yield { path, arrival: arrival as Arrival['arrival'] };
    for (const entry of Object.values(value)) yield* arrivalsOf(entry);
  }
}

/** Renumbers elements and every reference to them. @param ids new ids by old ones */
export function renumberTree(elements: readonly Nested[], ids: ReadonlyMap<number, number>): Nested[] {
  return elements.map((element) => ({
    ...remapElement(element, ids),
    id: ids.get(element.id)!,
    children: renumberTree(element.children ?? [], ids),
  }));
}

/** A room's document with renumbered elements. */
export function renumberRoom(room: Json, ids: ReadonlyMap<number, number>): Json {
  const config = isRecord(room.config) ? remapRoomConfig(room.config, ids) : room.config;
  return { ...room, config, elements: renumberTree((room.elements ?? []) as Nested[], ids) };
}

/** Positions of elements in the order of the tree, from 1, by their ids. */
export const positionsOf = (elements: readonly Nested[]): Map<number, number> =>
  new Map([...inOrder(elements)].map(({ id }, at) => [id, at + 1]));

const fileOf = (value: unknown): unknown =>
  isRecord(value) ? { name: value.name, type: value.type, url: value.url } : null;

/** The settings of an element without those that the server derives from its file, live stream or block. */
function portableConfig(config: Json, hasFile: boolean, { feeds, live_streams, blocks }: Names): Json {
  const own = { ...config };
  if (hasFile && 'file_url' in own) own.file_url = '';
  if (hasFile && 'mime' in own) own.mime = '';
  if (typeof own.feed_id === 'number') own.feed_id = feeds.get(own.feed_id) ?? null;
  if (typeof own.live_stream_id === 'number') {
    own.live_stream_id = live_streams.get(own.live_stream_id) ?? null;
    for (const name of ['type', 'id', 'src']) delete own[name];
  }
  if (typeof own.block_id === 'number') {
    own.block_id = blocks.get(own.block_id) ?? null;
    if (own.block_id === null) own.block_elements = null;
    own.block_version = null;
  }
  return own;
}

/** Fields of an element that derive from its place in the tree. */
const OF_TREE = ['index', 'parent_element_id'];

function portableElement(element: Json, names: Names): Json {
  const own = { ...element };
  for (const name of OF_TREE) delete own[name];
  const isTimed = (own.start_time ?? own.end_time ?? null) !== null;
  if (isTimed) delete own.visible_between;
  if (isTimed && (own.time_zone ?? null) !== null) delete own.utc_offset;
  own.config = portableConfig(own.config as Json, isRecord(own.file), names);
  return own;
}

function portableLink(link: Json, names: Names): Json {
  const path = targetOf(link);
  if (path === undefined) return link;
  const { endpoint: _id, ...own } = link.type_config as Json;
  if (isRecord(own.arrival) && typeof own.arrival.view_point_id === 'number')
    own.arrival = { ...own.arrival, view_point_id: names.viewPoint(path, own.arrival.view_point_id) };
  return { ...link, type_config: own };
}

/** A document without ids: files by URL, feeds, live streams and blocks by name, structures by path. */
function withNames(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((entry) => withNames(entry, names));
  if (!isRecord(value)) return value;
  const own = isElement(value) ? portableElement(value, names) : portableLink(value, names);
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, entry]) => {
      if (/(?:^|_)file_id$/.test(name)) return [];
      if (/(?:^|_)file$/.test(name)) return [[name, fileOf(entry)]];
      if (name === 'feed_id' && typeof entry === 'number') return [[name, names.feeds.get(entry) ?? null]];
      return [[name, withNames(entry, names)]];
    }),
  );
}

/** The group of a block, with its elements numbered from 1. */
export const portableBlock = (element: Nested, names: Names): unknown =>
  withNames(renumberTree([element], positionsOf([element]))[0], names);

/** A template without ids. */
export const portableTemplate = ({ id: _, ...template }: Json, names: Names): Json =>
  withNames(template, names) as Json;

/** A room without ids, with its elements numbered from 1. @param folder path of its folder */
export function portableRoom(room: Json, folder: string, names: Names): Json {
  const { id: _id, template_id: _template, template, ...own } = room;
  const elements = (own.elements ?? []) as Nested[];
  const numbered = withNames(renumberRoom(own, positionsOf(elements)), names) as Json;
  const config = numbered.config as Json;
  if (isRecord(config.realtime_file)) config.realtime_file_url = '';
  return { ...numbered, template_name: isRecord(template) ? template.name : null, folder };
}

/** Ids of a server for what documents name. */
export interface Ids {
  feed(key: string): number | null;
  liveStream(key: string): number | null;
  block(name: string): { id: number; version: number } | null;
  /** Id of a view point by its position in the room of a structure. */
  viewPoint(path: string, position: number): number | null;
  /** Ids that the server doesn't find itself, as in blocks. */
  file?(file: Json): number | null;
  structure?(path: string): number | null;
}

const DETACHED = { block_id: null, block_version: null, block_elements: null };

function localConfig(config: Json, ids: Ids): Json {
  const own = { ...config };
  if (typeof own.live_stream_id === 'string') own.live_stream_id = ids.liveStream(own.live_stream_id);
  if (typeof own.block_id === 'string') {
    const block = ids.block(own.block_id);
    Object.assign(own, block ? { block_id: block.id, block_version: block.version } : DETACHED);
  }
  return own;
}

function localLink(link: Json, ids: Ids): Json {
  const path = targetOf(link);
  if (path === undefined) return link;
  const own = { ...(link.type_config as Json) };
  if (isRecord(own.arrival) && typeof own.arrival.view_point_id === 'number')
    own.arrival = { ...own.arrival, view_point_id: ids.viewPoint(path, own.arrival.view_point_id) };
  if (link.type === 'space' && ids.structure) own.endpoint = ids.structure(path);
  return { ...link, type_config: own };
}

/** The opposite of `withNames`: a document with the ids of a server. */
export function withIds(value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((entry) => withIds(entry, ids));
  if (!isRecord(value)) return value;
  const own = isElement(value) ? { ...value, config: localConfig(value.config as Json, ids) } : localLink(value, ids);
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, entry]) => {
      if (name === 'feed_id' && typeof entry === 'string') return [[name, ids.feed(entry)]];
      if (/(?:^|_)file$/.test(name) && isRecord(entry))
        return ids.file ? [[`${name}_id`, ids.file(entry)]] : [[name, { id: 1, ...entry }]];
      return [[name, withIds(entry, ids)]];
    }),
  );
}

/** Whether a document refers to structures, blocks or view points of other rooms. */
export function hasReferences(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReferences);
  if (!isRecord(value)) return false;
  if (typeof value.block_id === 'string') return true;
  if (value.type === 'space' && targetOf(value) !== '') return true;
  return Object.values(value).some(hasReferences);
}
