import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { storedText } from '../../ui/storage.ts';
import type { OldEntry } from './old-queue.ts';

/** A stored row: an unsaved edit, a step of the history, or the log position that both refer to. */
export interface StoredRow {
  kind: 'edit' | 'step' | 'seq';
  number: number;
  value: unknown;
}

/** Rows of earlier pages. */
export interface Left {
  /** Name of this page, unique among open pages. */
  page: string;
  /** In order; now owned by this page. */
  rows: readonly StoredRow[];
  /** Rows of versions up to 0.9. */
  old: readonly OldEntry[];
}

/** Storage for unsaved edits beyond the page. */
export interface EditStorage {
  load(): Promise<Left>;
  /** Writes and removes rows in one transaction, together with other calls of the same task. */
  write(change: { put?: readonly StoredRow[]; remove?: readonly Omit<StoredRow, 'value'>[] }): Promise<void>;
  /** Releases the rows for the next page that opens the room. */
  close(): void;
}

const DATABASE = 'enfilade.session';
const STORE = 'kept';
/** Database of versions up to 0.9. */
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

/** A unique name for a page. */
export const pageName = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

const forever = new Promise<void>(() => {});

/** Milliseconds to wait for the lock of the tab's previous page, which a busy browser releases late. */
const LET_GO = 1000;

/**
 * Locks a page's name until this page closes or releases it. The lock shows other pages that its rows have an owner.
 * @param patience milliseconds to wait for the lock
 * @returns false if another open page holds it
 */
async function takePage(
  database: string,
  owner: string,
  page: string,
  released = forever,
  patience = 0,
): Promise<boolean> {
  // Insecure contexts have no locks; there, every page takes all rows.
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

/** Rows of closed pages. @param before previous page of this tab, if any */
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

/** Takes the rows of versions up to 0.9, once. */
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
 * Stores edits in IndexedDB. Each page has its own rows, so that two pages on one room don't send each other's edits;
 * the next page takes over the rows of a closed one. History continues only in its own tab.
 * @param owner the user and the room that the queue belongs to
 */
export function browserQueue(owner: string): EditStorage {
  const page = pageName();
  const tab = storedText(`${DATABASE}:${owner}`, 'window');
  const before = tab.get();
  tab.set(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const database = openDatabase();
  // Each call reports the error itself.
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
    // The earliest position works for all of them.
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
  /** Pending writes by key; null removes the row. */
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
    // Without storage there are no rows of earlier pages.
    load: () => load().catch(() => ({ page, rows: [], old: [] })),
    write: ({ put = [], remove = [] }) => {
      const rows = [
        ...remove.map((row) => [row, null] as const),
        ...put.map((row) => [row, { ...row, owner, page }] as const),
      ];
      for (const [named, row] of rows) gathered.set(`${named.kind} ${named.number}`, { key: keyOf(named), row });
      // An edit and its history step are written in one transaction.
      written ??= Promise.resolve().then(writeGathered);
      return written;
    },
    close: release,
  };
}
