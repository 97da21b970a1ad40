import type { ColumnType, Generated } from 'kysely';
import type { Id, Json, Stamp } from '../../core/db/column-types.ts';

/** A bulk action; deleted a week after it ends. */
export interface BulkJobTable {
  id: Id;
  organization_id: number;
  user_id: number;
  action: string;
  total: number;
  finished: Generated<number>;
  /** Ids of the changed entities. */
  changed: Json;
  /** Reasons why others failed. */
  problems: Json;
  state: string;
  /** Missing in jobs of earlier versions. */
  started_at: ColumnType<Stamp | null, Stamp | null | undefined>;
  /** Time of the last progress. */
  touched_at: Stamp;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    bulk_jobs: BulkJobTable;
  }
}
