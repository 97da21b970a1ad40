import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { isRecord } from '../../engine/document/field-paths.ts';
import { jsonText } from '../io/write-output.ts';
import type { Kind } from './format.ts';

export type Json = Record<string, unknown>;

/** An entry of an organization or of an export: a portable document without ids, with names, paths and hashes instead. */
export interface Entry {
  /** Identifies the entry among those of its kind, such as a path. */
  key: string;
  /** Identifies it if it has been moved or renamed, as long as only one entry has it. */
  alias?: string;
  /** Name for messages. */
  name: string;
  /** ID on the server; undefined in an export. */
  id?: number;
  read(): Promise<Json>;
}

/** An organization or an export, of which documents are read one at a time. */
export interface Snapshot {
  /** Name for messages. */
  name: string;
  kinds: ReadonlySet<Kind>;
  /** Whether media files have their original uploads. */
  hasOriginals: boolean;
  /** The entries of each kind, in a fixed order: structures as in the tree, the others by key. */
  entries: Record<Kind, Entry[]>;
}

/** A snapshot with the contents of its media files. */
export interface WithContents extends Snapshot {
  /** Content of a media file by its hash. */
  content(hash: string): Promise<Readable>;
  /** Original upload by its hash. */
  original(hash: string): Promise<Readable>;
}

/** The hash of the original upload in the document of a media file; null for none. */
export const originalOf = ({ original }: Json): { name: string; hash: string } | null =>
  isRecord(original) ? { name: String(original.name), hash: String(original.hash) } : null;

/** A snapshot without original uploads, to compare it with one that has none. */
export function withoutOriginals<S extends Snapshot>(snapshot: S): S {
  const media = snapshot.entries.media.map((entry) => ({
    ...entry,
    read: async () => {
      const { original: _, ...document } = await entry.read();
      return document;
    },
  }));
  return { ...snapshot, hasOriginals: false, entries: { ...snapshot.entries, media } };
}

/** A value whose objects have sorted keys, so that equal documents have equal texts. */
export function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map((entry) => sorted(entry)) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .filter((name) => value[name] !== undefined)
      .map((name) => [name, sorted(value[name])]),
  ) as T;
}

/** SHA-256 of a document. */
export const digestOf = (document: Json): string => createHash('sha256').update(jsonText(document)).digest('hex');

/** An entry whose document is in memory. */
export const entryOf = (about: Omit<Entry, 'read'>, document: Json): Entry => {
  const portable = sorted(document);
  return { ...about, read: async () => portable };
};

/** Compares keys bytewise, independently of the machine's language. */
export const byKey = (a: Entry, b: Entry): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** Key of a room or another entry in a folder. */
export const placeKey = (folder: string, name: string): string => `${folder}\n${name}`;
/** The same for messages. */
export const placeName = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Key and names of a portable document. */
export function aboutOf(kind: Kind, document: Json): Omit<Entry, 'read'> {
  const text = (name: string) => String(document[name] ?? '');
  switch (kind) {
    case 'folders':
    case 'media_folders':
      return { key: text('path').toLowerCase(), name: text('path') };
    case 'media':
      return { key: `${text('hash')} ${text('name')}`, alias: text('hash'), name: text('name') };
    case 'feeds':
    case 'live_streams':
      return { key: sourceKey(document as { type: string; name: string }), name: text('name') };
    case 'rooms':
      return {
        key: placeKey(text('folder').toLowerCase(), text('name')),
        alias: text('name'),
        name: placeName(text('folder'), text('name')),
      };
    case 'endpoints':
    case 'tokens':
      return { key: text('path'), name: text('path') };
    case 'settings':
      return { key: '', name: 'organization' };
    case 'users':
      return { key: text('email'), name: text('email') };
    case 'webhooks':
      return { key: text('name'), alias: text('url'), name: text('name') };
    default:
      return { key: text('name'), name: text('name') };
  }
}

/** Key of a feed or live stream, which documents contain in place of its id. */
export const sourceKey = ({ type, name }: { type: string; name: string }): string => `${type} ${name}`;

/** The organization without entries. */
export const noEntries = (): Record<Kind, Entry[]> => ({
  folders: [],
  media_folders: [],
  media: [],
  feeds: [],
  live_streams: [],
  templates: [],
  blocks: [],
  rooms: [],
  endpoints: [],
  settings: [],
  webhooks: [],
  users: [],
  tokens: [],
});
