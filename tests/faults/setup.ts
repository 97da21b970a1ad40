import type { TestProject } from 'vitest/node';
import { findPostgres } from '../harness/postgres.ts';

/** Finds the databases. The pages are not needed here, so nothing is built. */
export async function setup(project: TestProject): Promise<void> {
  const postgres = await findPostgres();
  console.log(postgres ? `PostgreSQL: ${postgres}` : 'PostgreSQL: none answers; the faults are tried on SQLite only.');
  project.provide('postgres', postgres);
  project.provide('migrated', null);
}
