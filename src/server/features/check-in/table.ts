import type { Owned, Stamp } from '../../core/db/column-types.ts';

/** A link with which staff check in guests of one structure. */
export interface CheckInLinkTable extends Owned {
  endpoint_id: number;
  name: string;
  token_hash: string;
  expires_at: Stamp | null;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    check_in_links: CheckInLinkTable;
  }
}
