import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { calls } from '../../src/contract/calls.ts';
import type { Endpoint, Media } from '../../src/contract/entities.ts';
import type { Connection } from '../connection.ts';
import { arrivalsOf, inOrder, type Names, type Nested } from './portable.ts';
import type { Json } from './snapshot.ts';

const ADDRESS = /\/media\/([0-9a-f]{64})\//g;
/** Whether a file consists of several: its URL has a folder. */
const hasFolder = (url: string): boolean => /^\/media\/[0-9a-f]{64}\/[^/]+\/./.test(url);
export const hashIn = (url: string): string => /\/media\/([0-9a-f]{64})\//.exec(url)?.[1] ?? '';

/**
 * Hashes of media. Those of files with several parts, such as sites, depend on how they were uploaded, so that exports
 * contain the hash of their content.
 */
export class Hashes {
  readonly #portable = new Map<string, string>();
  readonly #local = new Map<string, string>();

  set(local: string, portable: string): void {
    if (local === portable) return;
    this.#portable.set(local, portable);
    this.#local.set(portable, local);
  }

  portable(local: string): string {
    return this.#portable.get(local) ?? local;
  }

  /** A document with the hashes of exports. */
  toPortable<T>(document: T): T {
    return this.#portable.size === 0 ? document : replaced(document, this.#portable);
  }

  /** A document with the hashes of the server. */
  toLocal<T>(document: T): T {
    return this.#local.size === 0 ? document : replaced(document, this.#local);
  }
}

const replaced = <T>(document: T, hashes: ReadonlyMap<string, string>): T =>
  JSON.parse(
    JSON.stringify(document).replace(ADDRESS, (whole, hash: string) =>
      whole.replace(hash, () => hashes.get(hash) ?? hash),
    ),
  );

/** Records the hash of the content of a file with several parts. */
export async function noteHash({ download }: Connection, hashes: Hashes, { id, url }: Media): Promise<void> {
  const local = hashIn(url);
  if (!hasFolder(url) || hashes.portable(local) !== local) return;
  const hash = createHash('sha256');
  for await (const chunk of Readable.from(await download(calls.media.content, { id }))) hash.update(chunk);
  hashes.set(local, hash.digest('hex'));
}

/** Structures and the view points of their rooms. */
export class ViewPoints {
  readonly #rooms: ReadonlyMap<string, number>;
  readonly #connection: Connection;
  /** Ids of all elements of a room in the order of the tree. */
  readonly #elements = new Map<number, number[]>();

  /** @param structures by path */
  constructor(connection: Connection, structures: ReadonlyMap<string, Pick<Endpoint, 'room_id'>>) {
    this.#connection = connection;
    this.#rooms = new Map(
      [...structures].flatMap(([path, { room_id }]) => (room_id === null ? [] : [[path, room_id] as const])),
    );
  }

  /** Loads the rooms to whose view points a document links. */
  async load(document: unknown): Promise<void> {
    for (const { path } of arrivalsOf(document)) {
      const id = this.#rooms.get(path);
      if (id === undefined || this.#elements.has(id)) continue;
      const { elements } = await this.#connection.client.rooms.read({ params: { id } });
      this.#elements.set(id, idsOf(elements as Nested[]));
    }
  }

  readonly positionOf: Names['viewPoint'] = (path, id) => {
    const at = this.#idsAt(path).indexOf(id);
    return at < 0 ? null : at + 1;
  };

  readonly idAt = (path: string, position: number): number | null => this.#idsAt(path)[position - 1] ?? null;

  #idsAt(path: string): readonly number[] {
    return this.#elements.get(this.#rooms.get(path) ?? 0) ?? [];
  }
}

/** Ids of elements in the order of the tree. */
export const idsOf = (elements: readonly Nested[]): number[] => [...inOrder(elements)].map(({ id }) => id);

/** Some fields of an entry. */
export const pick = <T extends object, K extends keyof T & string>(entry: T, names: readonly K[]): Json =>
  Object.fromEntries(names.map((name) => [name, entry[name]]));
