import type { Generated } from 'kysely';
import type { Id, Json, Stamp } from '../../core/db/column-types.ts';

/** An action on many things; it goes a week after it has ended. */
export interface BulkJobTable {
  id: Id;
  organization_id: number;
  user_id: number;
  action: string;
  total: number;
  finished: Generated<number>;
  /** Ids of what was changed. */
  changed: Json;
  /** Why others were not. */
  problems: Json;
  state: string;
  /** When it last came on. */
  touched_at: Stamp;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    bulk_jobs: BulkJobTable;
  }
}
