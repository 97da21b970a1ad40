import type { Generated } from 'kysely';
import type { Flag, Owned } from '../../core/db/column-types.ts';

export interface EndpointTable extends Owned {
  name: string;
  slug: string;
  room_id: number | null;
  parent_endpoint_id: number | null;
  /** Key that orders it among its siblings, bytewise. */
  index: string;
  is_visible: Flag;
  is_timed: Flag;
  show_countdown: Flag;
  start_time: string | null;
  /** Null where a zone decides. */
  start_time_utc_offset: number | null;
  /** IANA name; null for a fixed offset. */
  time_zone: Generated<string | null>;
  is_protected: Flag;
  access_token_duration: number | null;
  /** What visitors see of the space: `edited` as it is, or `published`. */
  shows: Generated<string>;
}

/** Addresses that structures had. */
export interface EndpointAddressTable extends Owned {
  endpoint_id: number;
  /** The whole path, such as /museum/east-wing. */
  path: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    endpoints: EndpointTable;
    endpoint_addresses: EndpointAddressTable;
  }
}
