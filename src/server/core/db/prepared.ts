import type { CompiledQuery, Kysely } from 'kysely';
import { type Database, isPostgres, readerOf } from './database.ts';
import type { Tables } from './tables.ts';

/** Placeholder for a parameter while a query is built. */
class Placeholder {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/**
 * Builds a query once and runs it with different parameters: building takes longer than running.
 * @param build builds the query; its parameters may be used as values only, as often as needed
 * @returns runs the query
 */
export function prepared<P extends (string | number)[], O>(
  build: (db: Kysely<Tables>, ...parameters: P) => { compile(): CompiledQuery<O> },
): (db: Database, ...parameters: P) => Promise<O[]> {
  const plans = new Map<boolean, CompiledQuery<O>>();
  return async (db, ...parameters) => {
    const dialect = isPostgres(db);
    let plan = plans.get(dialect);
    if (!plan) {
      // Kysely's types accept only values, not deferred parameters.
      const placeholders = parameters.map((_, index) => new Placeholder(index)) as unknown as P;
      plan = build(db, ...placeholders).compile();
      plans.set(dialect, plan);
    }
    const values = plan.parameters.map((value) => (value instanceof Placeholder ? parameters[value.index] : value));
    // SQLite runs one transaction at a time, and other queries wait for it; these need not.
    const read = readerOf(db);
    if (read) return read(plan.sql, values) as O[];
    const { rows } = await db.executeQuery<O>({ ...plan, parameters: values } as CompiledQuery<O>);
    return rows;
  };
}
