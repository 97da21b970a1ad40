import type { ColumnType, Generated } from 'kysely';
import type { AuthorName, Flag, Id, Json, Stamp } from './column-types.ts';

export interface OrganizationTable {
  id: Id;
  name: string;
  /** Host name by which visitors find it; null for the one that answers everywhere else. */
  host: string | null;
  meta_title: string;
  meta_description: string;
  template_id: number | null;
  font_file_id: number | null;
  font_color: string | null;
  embed_domains: Json;
  /** Own words in place of the viewer's, by language and key. */
  texts: ColumnType<Json, Json | undefined, Json>;
  realtime_api_key: string;
  /** Days for which entries of the audit log are kept. */
  audit_days: Generated<number>;
  /** Days for which what visitors share is kept; null for as long as nobody removes it. */
  shares_days: number | null;
  /** Most that it may have, by the quota's name; what is not named is not limited. */
  quotas: ColumnType<Json, Json | undefined, Json>;
  /** Whether users must have a second factor. */
  requires_second_factor: Generated<Flag>;
  /** Whether users may sign in with a password. */
  has_password_sign_in: Generated<Flag>;
  /** Whether visits are counted. */
  has_statistics: Generated<Flag>;
  /** Whether it is kept where visitors were. */
  has_statistics_poses: Generated<Flag>;
  created_at: Stamp;
  updated_at: Stamp;
  /** IANA name of the zone of new times; null until somebody chooses one. */
  time_zone: Generated<string | null>;
}

/** The change log: written in the transaction of the change itself. */
export interface ChangeTable {
  id: Id;
  organization_id: number;
  user_id: number | null;
  author_name: AuthorName;
  at: Stamp;
  action: string;
  entity: string;
  entity_id: number;
  room_id: number | null;
  name: string;
  before: Json | null;
  after: Json | null;
  /** The transaction that wrote it; null for entries of before 0.17. */
  batch: ColumnType<string | null, string | null | undefined, never>;
  /** Whether the bin restores what was removed. */
  is_restorable: Flag;
  /** Place of the entry of the space's log that it belongs to; null where it belongs to none. */
  seq: ColumnType<number | null, number | null | undefined, number | null>;
}

/** Who signed in, and did what has to do with rights, keys and what leaves the house. */
export interface AuditEventTable {
  id: Id;
  organization_id: number;
  at: Stamp;
  event: string;
  user_id: number | null;
  /** Name of the user at that time; empty where nobody was signed in. */
  user_name: string;
  /** Name of the API key that asked; empty where none did. */
  api_key: string;
  address: string;
  device: string;
  /** What it was about, such as an e-mail address or the name of a key. */
  subject: string;
  details: Json;
}

/** What reverts a change; `src/server/core/changes/README.md` explains it. */
export interface ChangeRowTable {
  id: Id;
  organization_id: number;
  /** All that one transaction did. */
  batch: string;
  /** Entry of the change log that restores it by itself; null where none does. */
  change_id: number | null;
  at: Stamp;
  kind: string;
  /** What was done: `create`, `update` or `delete`. */
  action: string;
  entity_id: number;
  name: string;
  /** Hash of the row after the change; null for a removal. */
  mark: string | null;
  content: Json;
}

/** What is known of the whole installation, such as when it was last backed up. */
export interface InstallationNoteTable {
  id: Generated<number>;
  name: string;
  /** JSON. */
  value: string;
  updated_at: string;
}

/** Attempts to sign in or to enter with a code, so that a limit outlives a restart. */
export interface AttemptTable {
  id: Id;
  /** Whom the limit is for: an account, an address or a structure. */
  subject: string;
  at: Stamp;
}

/** All tables. A feature adds its own by augmenting this interface in its `table.ts`. */
export interface Tables {
  organizations: OrganizationTable;
  changes: ChangeTable;
  change_rows: ChangeRowTable;
  audit_events: AuditEventTable;
  installation_notes: InstallationNoteTable;
  attempts: AttemptTable;
}
