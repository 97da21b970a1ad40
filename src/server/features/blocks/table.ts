import type { Id, Json, Owned } from '../../core/db/column-types.ts';

export interface BlockTable extends Owned {
  name: string;
  /** The newest version, from 1. */
  version: number;
  /** Number of elements, the group included. */
  element_count: number;
}

/** The content of a block at a version; the newest ones are stored. */
export interface BlockVersionTable {
  id: Id;
  organization_id: number;
  block_id: number;
  version: number;
  /** The elements, without data that is derived from their files. */
  content: Json;
  /** Ids of the files that they use. */
  file_ids: Json;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    blocks: BlockTable;
    block_versions: BlockVersionTable;
  }
}
