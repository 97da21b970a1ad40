import type { CompiledQuery, Kysely } from 'kysely';
import { type Database, isPostgres, readerOf, runnerOf } from './database.ts';
import { limitsOf } from './limited.ts';
import type { Tables } from './tables.ts';

/** Placeholder for a parameter while a query is built. */
class Placeholder {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Value = string | number | null;

/**
 * Builds a query once and runs it with different parameters: building takes longer than running.
 * @param build builds the query; its parameters may be used as values only, as often as needed
 * @returns runs the query
 */
export function prepared<P extends Value[], O>(
  build: (db: Kysely<Tables>, ...parameters: P) => { compile(): CompiledQuery<O> },
): (db: Database, ...parameters: P) => Promise<O[]> {
  const plans = new Map<boolean, CompiledQuery<O>>();
  return async (db, ...parameters) => {
    // Plans are shared, and limits are a user's own.
    if (limitsOf(db)) return (await db.executeQuery<O>(build(db, ...parameters).compile())).rows;
    const dialect = isPostgres(db);
    let plan = plans.get(dialect);
    if (!plan) {
      // Kysely's types accept only values, not deferred parameters.
      const placeholders = parameters.map((_, index) => new Placeholder(index)) as unknown as P;
      plan = build(db, ...placeholders).compile();
      plans.set(dialect, plan);
    }
    const values = plan.parameters.map((value) => (value instanceof Placeholder ? parameters[value.index] : value));
    // SQLite runs one transaction at a time, and other queries wait for it; reads need not.
    const read = plan.query.kind === 'SelectQueryNode' ? readerOf(db) : undefined;
    if (read) return read(plan.sql, values) as O[];
    const runNow = runnerOf(db);
    if (runNow) return runNow(plan, values) as O[];
    const { rows } = await db.executeQuery<O>({ ...plan, parameters: values } as CompiledQuery<O>);
    return rows;
  };
}

/**
 * Like `prepared`, for rows.
 * @param names columns of a row
 */
export function preparedForRow<R extends Partial<Record<keyof R, Value>>, O>(
  names: readonly (keyof R & string)[],
  build: (db: Kysely<Tables>, row: R) => { compile(): CompiledQuery<O> },
): (db: Database, row: R) => Promise<O[]> {
  const run = prepared((db, ...values: Value[]) =>
    build(db, Object.fromEntries(names.map((name, index) => [name, values[index]])) as R),
  );
  return (db, row) => run(db, ...names.map((name) => (row[name] ?? null) as Value));
}
