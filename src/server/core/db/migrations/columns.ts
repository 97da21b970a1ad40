import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, PostgresAdapter } from 'kysely';

/** Column modifiers besides name and type. */
export type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

export const required: Build = (column) => column.notNull();
export const zero: Build = (column) => column.notNull().defaultTo(0);

/** Table builders of migrations for the current database. */
export interface Columns {
  /** Type of ids, and of other large numbers. */
  integer: 'bigint' | 'integer';
  /** A reference to another table's id. */
  refers(target: string, onDelete: 'cascade' | 'set null' | 'restrict', isRequired?: boolean): Build;
  /** A new table with an id. */
  table(name: string): CreateTableBuilder<string, 'id'>;
  /** A new table of rows that belong to an organization. */
  owned(name: string): CreateTableBuilder<string, 'id' | 'organization_id' | 'created_at' | 'updated_at'>;
  /** Adds an index named after its table and columns. */
  index(target: string, columns: string[], unique?: boolean): Promise<void>;
}

export function columnsFor(db: Kysely<unknown>): Columns {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const integer = postgres ? 'bigint' : 'integer';
  const idColumn: Build = (column) =>
    postgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();
  const refers: Columns['refers'] =
    (target, onDelete, isRequired = true) =>
    (column) => {
      const reference = column.references(`${target}.id`).onDelete(onDelete);
      return isRequired ? reference.notNull() : reference;
    };
  const table: Columns['table'] = (name) => db.schema.createTable(name).addColumn('id', integer, idColumn);
  return {
    integer,
    refers,
    table,
    owned: (name) =>
      table(name)
        .addColumn('organization_id', integer, refers('organizations', 'cascade'))
        .addColumn('created_at', 'text', required)
        .addColumn('updated_at', 'text', required),
    index: (target, columns, unique = false) => {
      const builder = db.schema
        .createIndex(`${target}_${columns.join('_')}`)
        .on(target)
        .columns(columns);
      return (unique ? builder.unique() : builder).execute();
    },
  };
}
