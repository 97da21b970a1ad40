import {
  AliasNode,
  DeleteQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  TableNode,
  type UnknownRow,
  UpdateQueryNode,
} from 'kysely';

function nameOf(node: OperationNode | undefined): string | undefined {
  if (node && AliasNode.is(node)) return nameOf(node.node);
  return node && TableNode.is(node) ? node.table.identifier.name : undefined;
}

/** The table whose rows a query changes or removes. */
function changedTable(node: RootOperationNode): string | undefined {
  if (UpdateQueryNode.is(node)) return nameOf(node.table);
  return DeleteQueryNode.is(node) ? nameOf(node.from.froms[0]) : undefined;
}

/**
 * Counts the changes and removals of rows that this process makes in some tables, so that what is kept of them in memory
 * is forgotten whoever changes them. A change counts before and after it is made: what was read in between is of no use.
 */
export class TableChanges implements KyselyPlugin {
  readonly #tables: ReadonlySet<string>;
  readonly #running = new WeakSet<object>();
  #count = 0;

  constructor(...tables: string[]) {
    this.#tables = new Set(tables);
  }

  get count(): number {
    return this.#count;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    const table = changedTable(node);
    if (table !== undefined && this.#tables.has(table)) {
      this.#count++;
      this.#running.add(queryId);
    }
    return node;
  }

  async transformResult({ queryId, result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    if (this.#running.has(queryId)) this.#count++;
    return result;
  }
}
