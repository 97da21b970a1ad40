import {
  AliasNode,
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  type Driver,
  InsertQueryNode,
  type OperationNode,
  type QueryResult,
  type RootOperationNode,
  TableNode,
  type TransactionSettings,
  UpdateQueryNode,
} from 'kysely';
import { observers } from '../observers.ts';
import type { Faults } from './faults.ts';
import type { Run } from './sqlite.ts';

function tableNameOf(node: OperationNode | undefined): string | undefined {
  if (node && AliasNode.is(node)) return tableNameOf(node.node);
  return node && TableNode.is(node) ? node.table.identifier.name : undefined;
}

/** The table modified by a query. */
function changedTable(node: RootOperationNode): string | undefined {
  if (UpdateQueryNode.is(node)) return tableNameOf(node.table);
  if (InsertQueryNode.is(node)) return tableNameOf(node.into);
  return DeleteQueryNode.is(node) ? tableNameOf(node.from.froms[0]) : undefined;
}

/** Columns that record last use and don't affect rights. */
const TRACES = new Set(['last_seen_at', 'last_used_at']);

/** Whether an update sets only such columns. */
const isTrace = (node: RootOperationNode): boolean =>
  UpdateQueryNode.is(node) &&
  (node.updates?.every(({ column }) => 'column' in column && TRACES.has((column.column as { name: string }).name)) ??
    false);

/** Counts changes of some tables, to invalidate caches. */
export class TableChanges {
  readonly #tables: ReadonlySet<string>;
  readonly #withInserts: boolean;
  /** PostgreSQL channel that notifies other processes. */
  readonly channel: string | undefined;
  /** Increases with every committed change. */
  count = 0;

  /** @param withInserts whether inserts count: not if missing rows are never cached */
  constructor(
    tables: readonly string[],
    { withInserts = false, channel }: { withInserts?: boolean; channel?: string },
  ) {
    this.#tables = new Set(tables);
    this.#withInserts = withInserts;
    this.channel = channel;
  }

  /** Whether a query, once done, is such a change. */
  concerns({ query }: CompiledQuery): boolean {
    const table = changedTable(query);
    if (table === undefined || !this.#tables.has(table) || isTrace(query)) return false;
    return this.#withInserts || !InsertQueryNode.is(query);
  }
}

/** Notifies other processes on the same connection, so that the notification is delivered on commit. */
async function announce(connection: DatabaseConnection, changes: Iterable<TableChanges>): Promise<void> {
  for (const { channel } of changes) if (channel) await connection.executeQuery(CompiledQuery.raw(`notify ${channel}`));
}

/** Wraps a connection and records its changes. */
class WatchedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  /** Changes of the transaction in progress; undefined outside of one. */
  changed: Set<TableChanges> | undefined;
  readonly #watched: readonly TableChanges[];
  readonly #concernedByPlan = new WeakMap<CompiledQuery, readonly TableChanges[]>();
  readonly #faults: Faults;

  constructor(inner: DatabaseConnection, watched: readonly TableChanges[], faults: Faults) {
    this.inner = inner;
    this.#watched = watched;
    this.#faults = faults;
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const onEnd = observers.current?.statement(query.sql);
    try {
      const result = await this.inner.executeQuery<R>(query);
      onEnd?.();
      return result;
    } catch (error) {
      onEnd?.(error);
      this.#faults.note(error);
      throw error;
    }
  }

  #concernedBy(query: CompiledQuery): readonly TableChanges[] {
    return query.query.kind === 'SelectQueryNode' ? [] : this.#watched.filter((changes) => changes.concerns(query));
  }

  /** Runs a query of the transaction in progress synchronously. @param plan the query, whatever its parameters */
  runNow(plan: CompiledQuery, run: () => ReturnType<Run>): ReturnType<Run>['rows'] {
    if (!this.changed) throw new Error('There is no transaction in progress.');
    let concerned = this.#concernedByPlan.get(plan);
    if (!concerned) {
      concerned = this.#concernedBy(plan);
      this.#concernedByPlan.set(plan, concerned);
    }
    try {
      const { rows, changes } = run();
      if (changes > 0) for (const counts of concerned) this.changed.add(counts);
      return rows;
    } catch (error) {
      this.#faults.note(error);
      throw error;
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const concerned = this.#concernedBy(query);
    if (concerned.length === 0) return this.#execute<R>(query);
    let result: QueryResult<R> | undefined;
    try {
      result = await this.#execute<R>(query);
    } finally {
      // Without a response, the change may still have happened.
      if (!result || (result.numAffectedRows ?? BigInt(result.rows.length)) > 0n) await this.#note(concerned);
    }
    return result;
  }

  async #note(concerned: readonly TableChanges[]): Promise<void> {
    if (this.changed) {
      for (const changes of concerned) this.changed.add(changes);
      return;
    }
    for (const changes of concerned) changes.count++;
    await announce(this.inner, concerned).catch(() => undefined);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

/** Counts a change when it becomes visible to others: immediately outside of a transaction, otherwise on commit. */
class WatchedDriver implements Driver {
  readonly #inner: Driver;
  readonly #watched: readonly TableChanges[];
  readonly #faults: Faults;
  readonly #connections = new WeakMap<DatabaseConnection, WatchedConnection>();
  /** The connection of the last transaction: the only one on SQLite. */
  inTransaction: WatchedConnection | undefined;

  constructor(inner: Driver, watched: readonly TableChanges[], faults: Faults) {
    this.#inner = inner;
    this.#watched = watched;
    this.#faults = faults;
  }

  /** Runs something and records its failure. */
  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#faults.note(error);
      throw error;
    }
  }

  init = (): Promise<void> => this.#inner.init();
  destroy = (): Promise<void> => this.#inner.destroy();

  async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await this.#noting(() => this.#inner.acquireConnection());
    const known = this.#connections.get(inner);
    if (known) return known;
    const watched = new WatchedConnection(inner, this.#watched, this.#faults);
    this.#connections.set(inner, watched);
    return watched;
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#inner.releaseConnection((connection as WatchedConnection).inner);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const watched = connection as WatchedConnection;
    await this.#noting(() => this.#inner.beginTransaction(watched.inner, settings));
    watched.changed = new Set();
    this.inTransaction = watched;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const watched = connection as WatchedConnection;
    const { changed = [] } = watched;
    watched.changed = undefined;
    try {
      await announce(watched.inner, changed);
      await this.#noting(() => this.#inner.commitTransaction(watched.inner));
    } finally {
      for (const changes of changed) changes.count++;
    }
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const watched = connection as WatchedConnection;
    watched.changed = undefined;
    // A failed rollback means that the transaction has already ended: SQLite rolls back when the disk is full, and so
    // does a lost connection. The caller throws the original error.
    await this.#inner.rollbackTransaction(watched.inner).catch(() => undefined);
  }
}

/** Runs a query synchronously in the SQLite transaction in progress. */
export type RunNow = (plan: CompiledQuery, parameters: readonly unknown[]) => ReturnType<Run>['rows'];

/** Wraps a dialect to count changes of some tables, and failures. */
export function watchedDialect(
  dialect: Dialect,
  watched: readonly TableChanges[],
  faults: Faults,
): Dialect & { runNowWith(run: Run): RunNow } {
  let driver: WatchedDriver | undefined;
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => {
      driver = new WatchedDriver(dialect.createDriver(), watched, faults);
      return driver;
    },
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    runNowWith: (run) => (plan, parameters) => {
      const connection = driver?.inTransaction;
      if (!connection) throw new Error('There is no transaction in progress.');
      return connection.runNow(plan, () => run(plan.sql, parameters));
    },
  };
}
