import type { Generated } from 'kysely';
import type { Flag, Json, Owned } from '../../core/db/column-types.ts';

export interface EndpointTable extends Owned {
  name: string;
  slug: string;
  room_id: number | null;
  parent_endpoint_id: number | null;
  /** Sort key among siblings, compared bytewise. */
  index: string;
  is_visible: Flag;
  is_timed: Flag;
  show_countdown: Flag;
  /** YYYY-MM-DD; null for every day. */
  start_date: Generated<string | null>;
  start_time: string | null;
  /** Null with a time zone. */
  start_time_utc_offset: number | null;
  /** IANA name; null for a fixed offset. */
  time_zone: Generated<string | null>;
  is_protected: Flag;
  access_token_duration: number | null;
  /** The version of the space that visitors see: `edited` for the current one, or `published`. */
  shows: Generated<string>;
  /** Null for the color of the template or the organization. */
  accent_color: Generated<string | null>;
  /** Seconds without input after which its page starts again; null if it isn't a kiosk. */
  kiosk_seconds: Generated<number | null>;
  /** Translations of its title, by language and field. */
  translations: Generated<Json>;
}

/** Previous addresses of structures. */
export interface EndpointAddressTable extends Owned {
  endpoint_id: number;
  /** The whole path, such as /museum/east-wing. */
  path: string;
  /** Place of a tour that it leads to; null for the start. */
  view_point_id: Generated<number | null>;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    endpoints: EndpointTable;
    endpoint_addresses: EndpointAddressTable;
  }
}
