import {
  AliasNode,
  type DeleteQueryNode,
  IdentifierNode,
  JoinNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  QueryNode,
  type RawBuilder,
  type SelectQueryNode,
  type SqlBool,
  TableNode,
  type UpdateQueryNode,
} from 'kysely';
import { type Database, shareWatched } from './database.ts';
import type { Tables } from './tables.ts';

/** Folders and structures to which a user is limited, with everything below them. */
export interface Limits {
  folder_ids: readonly number[];
  endpoint_ids: readonly number[];
  userId: number;
}

/**
 * Condition for the rows of a table that a limited user may see and change; null if they may see all of them.
 * @param alias name of the table in the query
 */
export type RowCondition = (limits: Limits, table: keyof Tables, alias: string) => RawBuilder<SqlBool> | null;

/** A table of a query, with its name there. */
interface QueriedTable {
  table: keyof Tables;
  alias: string;
}

function tableOf(node: OperationNode): QueriedTable | null {
  if (AliasNode.is(node)) {
    const inner = tableOf(node.node);
    return inner && IdentifierNode.is(node.alias) ? { ...inner, alias: node.alias.name } : null;
  }
  if (!TableNode.is(node)) return null;
  const { name } = node.table.identifier;
  return { table: name as keyof Tables, alias: name };
}

/** Adds the condition of each table that a query, or a subquery in it, reads or changes. Statements in plain SQL stay as they are. */
class Limiter extends OperationNodeTransformer {
  readonly #conditionOf: (table: QueriedTable) => RawBuilder<SqlBool> | null;

  constructor(limits: Limits, conditionOf: RowCondition) {
    super();
    this.#conditionOf = ({ table, alias }) => conditionOf(limits, table, alias);
  }

  #conditionFor(node: OperationNode): OperationNode | null {
    const table = tableOf(node);
    return (table && this.#conditionOf(table)?.toOperationNode()) ?? null;
  }

  #withConditions<T extends SelectQueryNode | UpdateQueryNode | DeleteQueryNode>(
    node: T,
    tables: readonly OperationNode[],
  ): T {
    let limited = node;
    for (const table of tables) {
      const condition = this.#conditionFor(table);
      if (condition) limited = QueryNode.cloneWithWhere(limited, condition) as T;
    }
    return limited;
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    return this.#withConditions(super.transformSelectQuery(node, queryId), node.from?.froms ?? []);
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const tables = [...(node.table ? [node.table] : []), ...(node.from?.froms ?? [])];
    return this.#withConditions(super.transformUpdateQuery(node, queryId), tables);
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const tables = [...node.from.froms, ...(node.using?.tables ?? [])];
    return this.#withConditions(super.transformDeleteQuery(node, queryId), tables);
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const condition = this.#conditionFor(node.table);
    const joined = super.transformJoin(node, queryId);
    return condition ? JoinNode.cloneWithOn(joined, condition) : joined;
  }
}

/** Limits every query of a database. */
class LimitPlugin implements KyselyPlugin {
  readonly limits: Limits;
  readonly #limiter: Limiter;

  constructor(limits: Limits, conditionOf: RowCondition) {
    this.limits = limits;
    this.#limiter = new Limiter(limits, conditionOf);
  }

  transformQuery({ node, queryId }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return this.#limiter.transformNode(node, queryId);
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }
}

/**
 * The database as a limited user sees it: other rows don't exist in any query, so that their ids are answered like
 * those of another organization. New rows are not limited: code that adds one checks its references.
 */
export function limitedDatabase(db: Database, limits: Limits, conditionOf: RowCondition): Database {
  const limited = db.withPlugin(new LimitPlugin(limits, conditionOf));
  shareWatched(db, limited);
  return limited;
}

/** The limits of a database or transaction; null for the whole organization. */
export function limitsOf(db: Database): Limits | null {
  for (const plugin of db.getExecutor().plugins) if (plugin instanceof LimitPlugin) return plugin.limits;
  return null;
}

const unlimited = new WeakMap<Database, Database>();

/**
 * The same database or transaction without limits, for what concerns the whole organization: quotas, paths and order of
 * structures, and caches. Nothing read with it reaches the user unless they may see it.
 */
export function everywhere(db: Database): Database {
  if (limitsOf(db) === null) return db;
  const whole = unlimited.get(db) ?? db.withoutPlugins();
  if (!unlimited.has(db)) {
    unlimited.set(db, whole);
    shareWatched(db, whole);
  }
  return whole;
}
