import type { ColumnType, Generated } from 'kysely';
import type { AuthorName, Flag, Id, Json, Stamp } from './column-types.ts';

export interface OrganizationTable {
  id: Id;
  name: string;
  /** Primary host name of its public site; null for the default organization. Further ones are in `organization_hosts`. */
  host: string | null;
  meta_title: string;
  meta_description: string;
  template_id: number | null;
  font_file_id: number | null;
  font_color: string | null;
  logo_file_id: Generated<number | null>;
  /** Color of controls on visitors' pages; null for the built-in color. */
  accent_color: Generated<string | null>;
  /** Whether search engines may list all open rooms, not only the front page. */
  lists_rooms: Generated<Flag>;
  embed_domains: Json;
  /** Custom texts that replace the viewer's, by language and key. */
  texts: ColumnType<Json, Json | undefined, Json>;
  realtime_api_key: string;
  /** Retention of audit log entries in days. */
  audit_days: Generated<number>;
  /** Retention of visitor content in days; null for unlimited. */
  shares_days: number | null;
  /** Maximum size of stored original uploads in megabytes; null for all. */
  originals_megabytes: Generated<number | null>;
  /** Limits by quota name; missing ones are unlimited. */
  quotas: ColumnType<Json, Json | undefined, Json>;
  /** Whether users must have a second factor. */
  requires_second_factor: Generated<Flag>;
  /** Whether users may sign in with a password. */
  has_password_sign_in: Generated<Flag>;
  has_statistics: Generated<Flag>;
  /** Whether visitors' positions are recorded. */
  has_statistics_poses: Generated<Flag>;
  /** Whether third-party content loads as rooms specify, or only after the visitor has allowed it. */
  third_parties: Generated<'specified' | 'ask'>;
  /** Container of Google Tag Manager on visitors' pages; empty for none. */
  tag_manager_id: Generated<string>;
  /** The accessibility statement; `{}` without one. */
  statement: ColumnType<Json, Json | undefined, Json>;
  created_at: Stamp;
  updated_at: Stamp;
  /** IANA time zone for new times; null until one is chosen. */
  time_zone: Generated<string | null>;
  /** When the operator suspended it; null if it isn't suspended. */
  suspended_at: Stamp | null;
  /** When its data will be deleted; until then, it is suspended as well. Null unless the operator has deleted it. */
  delete_after: Stamp | null;
}

/** The change log: written in the change's own transaction. */
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
  /** The transaction that wrote it; null for entries from before 0.17. */
  batch: ColumnType<string | null, string | null | undefined, never>;
  /** Whether the bin can restore the deleted entity. */
  is_restorable: Flag;
  /** Sequence number of the space's log entry it belongs to; null if there is none. */
  seq: ColumnType<number | null, number | null | undefined, number | null>;
}

/** Audit log: sign-ins, and actions that concern rights, keys and exported data. */
export interface AuditEventTable {
  id: Id;
  organization_id: number;
  at: Stamp;
  event: string;
  user_id: number | null;
  /** The user's name at that time; empty for anonymous callers. */
  user_name: string;
  /** Name of the API key; empty if none was used. */
  api_key: string;
  address: string;
  device: string;
  /** Subject of the event, such as an email address or the name of a key. */
  subject: string;
  details: Json;
}

/** Data that reverts a change; see `src/server/core/changes/README.md`. */
export interface ChangeRowTable {
  id: Id;
  organization_id: number;
  /** Identifies the transaction. */
  batch: string;
  /** Change log entry that can restore it separately; null if there is none. */
  change_id: number | null;
  at: Stamp;
  kind: string;
  /** `create`, `update` or `delete`. */
  action: string;
  entity_id: number;
  name: string;
  /** Hash of the row after the change; null for a deletion. */
  mark: string | null;
  content: Json;
}

/** Facts about the whole installation, such as the last backup. */
export interface InstallationNoteTable {
  id: Generated<number>;
  name: string;
  /** JSON. */
  value: string;
  updated_at: string;
}

/** Attempts to sign in or to enter a code, stored so that limits survive a restart. */
export interface AttemptTable {
  id: Id;
  /** Subject of the limit: an account, an address or a structure. */
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
