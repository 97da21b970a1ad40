import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { SaveTask } from './save-task.ts';

/** Something that waits to be saved. */
export interface QueueEntry {
  /** Place in the queue. */
  seq: number;
  task: SaveTask;
  /** Version of the thing that the edit was made on; undefined where versions don't matter. */
  stamp?: string;
  /** Highest id of an element that was known when an `add` was sent; undefined until then. */
  sentAfter?: number;
}

/** Where what waits to be saved outlives the page. */
export interface KeptQueue {
  /** What earlier pages left behind, in order; from now on it is this page's. */
  load(): Promise<QueueEntry[]>;
  /** Writes and removes entries, all or nothing. */
  write(change: { put?: readonly QueueEntry[]; remove?: readonly number[] }): Promise<void>;
}

const DATABASE = 'enfilade.editor';
const STORE = 'waiting';

interface Row extends QueueEntry {
  /** User and room. */
  owner: string;
  /** The page that wrote it. */
  page: string;
}

type Key = [owner: string, page: string, seq: number];

interface Kept extends DBSchema {
  [STORE]: { key: Key; value: Row; indexes: { owner: string } };
}

const openDatabase = (): Promise<IDBPDatabase<Kept>> =>
  openDB<Kept>(DATABASE, 1, {
    upgrade: (database) =>
      database.createObjectStore(STORE, { keyPath: ['owner', 'page', 'seq'] }).createIndex('owner', 'owner'),
  });

const pageName = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
const lockOf = (owner: string, page: string) => `${DATABASE}:${owner}:${page}`;

/**
 * Takes a page's name for as long as this page lives, so that others see that its entries have somebody who sends them.
 * @returns false when another living page has it
 */
async function takePage(owner: string, page: string): Promise<boolean> {
  // Without a secure address there are no locks; then every page takes what it finds.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const held = navigator.locks.request(lockOf(owner, page), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => {}) : undefined;
    });
    held.catch(() => resolve(true));
  });
}

/**
 * The browser's database, here and nowhere else. Each page has its own entries, so that two pages on one room don't
 * send each other's; what a page that is gone left behind, the next one takes over.
 * @param owner the user and the room that the queue belongs to
 */
export function browserQueue(owner: string): KeptQueue {
  const page = pageName();
  const database = openDatabase();
  // Whoever calls is told; without a call there is nobody to tell.
  database.catch(() => undefined);
  const change = async (removed: readonly Key[], put: readonly Row[]) => {
    const { store, done } = (await database).transaction(STORE, 'readwrite');
    await Promise.all([...removed.map((key) => store.delete(key)), ...put.map((row) => store.put(row)), done]);
  };
  const ownRow = (entry: QueueEntry): Row => ({ ...entry, owner, page });
  return {
    load: async () => {
      await takePage(owner, page);
      const rows = await (await database).getAllFromIndex(STORE, 'owner', owner);
      const orphans: Row[] = [];
      for (const [writer, list] of Map.groupBy(rows, (row) => row.page))
        if (await takePage(owner, writer)) orphans.push(...list);
      const entries = orphans.map(({ owner: _, page: __, ...entry }, index) => ({ ...entry, seq: index + 1 }));
      await change(
        orphans.map((row) => [row.owner, row.page, row.seq]),
        entries.map(ownRow),
      );
      return entries;
    },
    write: ({ put = [], remove = [] }) =>
      change(
        remove.map((seq) => [owner, page, seq]),
        put.map(ownRow),
      ),
  };
}
