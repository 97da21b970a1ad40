import type { ColumnType, Generated } from 'kysely';
import type { Flag, Id, Owned, Stamp } from './column-types.ts';

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

export interface AccessTokenTable extends Owned {
  endpoint_id: number;
  token: string;
  valid_from: Stamp | null;
  valid_till: Stamp | null;
  /** Minutes from the first use. */
  valid_duration: number | null;
  first_used_at: Stamp | null;
  /** What is compared where it differs from the token, which was stored before tokens were normalized. */
  normal: ColumnType<string | null, string | null | undefined>;
  /** The person whom it was given to. */
  holder_name: ColumnType<string | null, string | null | undefined>;
  holder_email: ColumnType<string | null, string | null | undefined>;
}

/** Visits that an access token opened. */
export interface VisitorSessionTable {
  id: Id;
  endpoint_id: number;
  access_token_id: number;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  expires_at: Stamp;
}

/** Tickets for one download each, in place of the session's token. */
export interface ExportTicketTable {
  id: Id;
  endpoint_id: number;
  user_id: number;
  /** Sign-in that the ticket was made in, and ends with. */
  family: string;
  /** SHA-256 of the ticket, hexadecimal. */
  token_hash: string;
  expires_at: Stamp;
}
