import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { storedText } from '../../ui/storage.ts';
import type { OldEntry } from './old-queue.ts';

/** Something that outlives the page: an edit that waits, a step of the history, or the place in the log that both follow. */
export interface StoredRow {
  kind: 'edit' | 'step' | 'seq';
  number: number;
  value: unknown;
}

/** What earlier pages left behind. */
export interface Left {
  /** Name of this page: no other one that is open has it. */
  page: string;
  /** In order; from now on they are this page's. */
  rows: readonly StoredRow[];
  /** What versions up to 0.9 left. */
  old: readonly OldEntry[];
}

/** Where what waits to be saved outlives the page. */
export interface EditStorage {
  load(): Promise<Left>;
  /** Writes and removes rows, all or nothing: all that is asked for in one go. */
  write(change: { put?: readonly StoredRow[]; remove?: readonly Omit<StoredRow, 'value'>[] }): Promise<void>;
  /** Leaves what is kept to whoever opens the room next. */
  close(): void;
}

const DATABASE = 'enfilade.session';
const STORE = 'kept';
/** Where versions up to 0.9 kept what waits. */
const OLD_DATABASE = 'enfilade.editor';
const OLD_STORE = 'waiting';

interface Row extends StoredRow {
  /** User and room. */
  owner: string;
  /** The page that wrote it. */
  page: string;
}
interface OldRow extends OldEntry {
  owner: string;
  page: string;
}

type Key = [owner: string, page: string, kind: string, number: number];

interface Kept extends DBSchema {
  [STORE]: { key: Key; value: Row; indexes: { owner: string } };
}
interface OldKept extends DBSchema {
  [OLD_STORE]: { key: [string, string, number]; value: OldRow; indexes: { owner: string } };
}

const openDatabase = (): Promise<IDBPDatabase<Kept>> =>
  openDB<Kept>(DATABASE, 1, {
    upgrade: (database) =>
      database.createObjectStore(STORE, { keyPath: ['owner', 'page', 'kind', 'number'] }).createIndex('owner', 'owner'),
  });

/** A name for a page that no other one has. */
export const pageName = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

const forever = new Promise<void>(() => {});

/** Milliseconds for which the page that this tab showed before may still have its name: a browser that is busy lets go of it late. */
const LET_GO = 1000;

/**
 * Takes a page's name for as long as this page lives, or until it is released, so that others see that its entries have somebody who sends them.
 * @param patience milliseconds to wait for another page to let go of it
 * @returns false when another living page has it
 */
async function takePage(
  database: string,
  owner: string,
  page: string,
  released = forever,
  patience = 0,
): Promise<boolean> {
  // Without a secure address there are no locks; then every page takes what it finds.
  if (!navigator.locks) return true;
  const signal = AbortSignal.timeout(patience);
  return new Promise((resolve) => {
    const name = `${database}:${owner}:${page}`;
    const held = navigator.locks.request(name, patience > 0 ? { signal } : { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? released : undefined;
    });
    held.catch(() => resolve(patience === 0 || !signal.aborted));
  });
}

/** Rows of pages that are gone. @param before the page that this tab showed before, if it did */
async function orphansOf<R extends { page: string }>(
  database: string,
  owner: string,
  rows: readonly R[],
  released = forever,
  before: string | null = null,
): Promise<R[]> {
  const orphans: R[] = [];
  for (const [page, list] of Map.groupBy(rows, (row) => row.page))
    if (await takePage(database, owner, page, released, page === before ? LET_GO : 0)) orphans.push(...list);
  return orphans;
}

/** What versions up to 0.9 left, once. */
async function takeOld(owner: string): Promise<OldEntry[]> {
  const known = await indexedDB.databases();
  if (!known.some(({ name }) => name === OLD_DATABASE)) return [];
  const database = await openDB<OldKept>(OLD_DATABASE);
  try {
    if (!database.objectStoreNames.contains(OLD_STORE)) return [];
    const rows = await database.getAllFromIndex(OLD_STORE, 'owner', owner);
    const orphans = await orphansOf(OLD_DATABASE, owner, rows);
    for (const row of orphans) await database.delete(OLD_STORE, [row.owner, row.page, row.seq]);
    return orphans;
  } finally {
    database.close();
  }
}

/**
 * The browser's database, here and nowhere else. Each page has its own rows, so that two pages on one room don't
 * send each other's; what a page that is gone left behind, the next one takes over. The history goes on in the tab
 * that it was made in only.
 * @param owner the user and the room that the queue belongs to
 */
export function browserQueue(owner: string): EditStorage {
  const page = pageName();
  const tab = storedText(`${DATABASE}:${owner}`, 'window');
  const before = tab.get();
  tab.set(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const database = openDatabase();
  // Whoever calls is told; without a call there is nobody to tell.
  database.catch(() => undefined);
  const change = async (removed: readonly Key[], put: readonly Row[]) => {
    const { store, done } = (await database).transaction(STORE, 'readwrite');
    await Promise.all([...removed.map((key) => store.delete(key)), ...put.map((row) => store.put(row)), done]);
  };
  const keyOf = ({ kind, number }: Omit<StoredRow, 'value'>, of = page): Key => [owner, of, kind, number];
  const load = async (): Promise<Left> => {
    await takePage(DATABASE, owner, page, released);
    const all = await (await database).getAllFromIndex(STORE, 'owner', owner);
    const orphans = await orphansOf(DATABASE, owner, all, released, before);
    const edits = orphans.filter(({ kind }) => kind === 'edit').map((row, index) => ({ ...row, number: index + 1 }));
    const steps = orphans.filter((row) => row.kind === 'step' && row.page === before);
    // The earliest place is where all of them can go on from.
    const [seq] = orphans
      .filter(({ kind, page }) => kind === 'seq' && [...edits, ...steps].some((row) => row.page === page))
      .toSorted((a, b) => Number(a.value) - Number(b.value));
    const rows = [...edits, ...steps, ...(seq ? [seq] : [])].map(({ kind, number, value }) => ({
      kind,
      number,
      value,
    }));
    await change(
      orphans.map((row) => keyOf(row, row.page)),
      rows.map((row) => ({ ...row, owner, page })),
    );
    return { page, rows, old: await takeOld(owner).catch(() => []) };
  };
  /** What is to be written, by key; null for what goes. */
  let gathered = new Map<string, { key: Key; row: Row | null }>();
  let written: Promise<void> | undefined;
  const writeGathered = () => {
    const all = [...gathered.values()];
    gathered = new Map();
    written = undefined;
    return change(
      all.flatMap(({ key, row }) => (row ? [] : [key])),
      all.flatMap(({ row }) => row ?? []),
    );
  };
  return {
    // A browser that keeps nothing has nothing of earlier pages.
    load: () => load().catch(() => ({ page, rows: [], old: [] })),
    write: ({ put = [], remove = [] }) => {
      const rows = [
        ...remove.map((row) => [row, null] as const),
        ...put.map((row) => [row, { ...row, owner, page }] as const),
      ];
      for (const [named, row] of rows) gathered.set(`${named.kind} ${named.number}`, { key: keyOf(named), row });
      // What is done at once, such as an edit and its step of the history, is kept whole or not at all.
      written ??= Promise.resolve().then(writeGathered);
      return written;
    },
    close: release,
  };
}
