import type { ColumnType, Generated } from 'kysely';
import type { AuthorName, Flag, Id, Json, Owned, Stamp } from './column-types.ts';
import type {
  EditorClientTable,
  ElementLeaseTable,
  ElementTable,
  PosterDrawingTable,
  PosterFileTable,
  PosterTable,
  PublicationTable,
  RevisionTable,
  RoomBaseTable,
  RoomCommandTable,
  RoomTable,
} from './room-tables.ts';
import type {
  AttemptTable,
  IdentityProviderTable,
  IdentityTable,
  PasskeyTable,
  PasswordResetTable,
  RecoveryCodeTable,
  SecondFactorTable,
  SessionTable,
  SignInStepTable,
} from './sign-in-tables.ts';
import type {
  StatisticsEventTable,
  StatisticsHourTable,
  StatisticsPoseTable,
  StatisticsSaltTable,
} from './statistics-tables.ts';
import type {
  AccessTokenTable,
  EndpointAddressTable,
  EndpointTable,
  ExportTicketTable,
  VisitorSessionTable,
} from './structure-tables.ts';
import type { StructureVisitTable, WebhookDeliveryTable, WebhookTable } from './webhook-tables.ts';

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

export interface UserTable extends Owned {
  email: string;
  name: string;
  /** argon2id in its own text form; empty for whoever has not set a password yet. */
  password_hash: string;
  policies: Json;
  is_active: Flag;
  /** Whether a confirmed second factor of theirs is there. */
  has_second_factor: Generated<Flag>;
  /** What they have chosen for themselves in the back-office. */
  preferences: Generated<Json>;
  last_seen_at: Stamp | null;
}

export interface ApiKeyTable extends Owned {
  user_id: number;
  name: string;
  /** Last characters of the key. */
  hint: string;
  policies: Json;
  /** SHA-256 of the key, hexadecimal. */
  key_hash: string;
  expires_at: Stamp | null;
  last_used_at: Stamp | null;
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

/** Imports that were done. */
export interface ImportTable {
  id: Id;
  organization_id: number;
  user_id: number | null;
  author_name: AuthorName;
  at: Stamp;
  kind: string;
  /** What named the request; null where nothing did, or a day later. */
  idempotency_key: string | null;
  /** SHA-256 of the request, hexadecimal. */
  request_hash: string;
  /** The answer that it got. */
  answer: Json;
  undone_at: Stamp | null;
  /** What it did, as records of changes have it. */
  batch: string;
}

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

export interface LiveStreamTable extends Owned {
  name: string;
  type: string;
  /** Id of the broadcast on its platform. */
  reference: string;
  state: string;
  encoder: string | null;
  player_hls_playback_url: string;
  webrtc_url: string;
}

/** What opens an organization's accounts on platforms elsewhere. */
export interface PlatformCredentialTable extends Owned {
  platform: string;
  name: string;
  /** The credential, sealed for its organization, platform and name. */
  sealed: string;
  /** What of it may be shown. */
  hint: string;
}

export interface FeedTable extends Owned {
  name: string;
  type: string;
  config: Json;
  /** Token of the platform, sealed with the server's own key; null where there is none. */
  secret: string | null;
  /** Stamp until which `secret` works. */
  secret_expires_at: Stamp | null;
  /** SHA-256 of the state that a redirect of the platform must bring back; null when none is under way. */
  connect_hash: string | null;
  connect_expires_at: Stamp | null;
  fetched_at: Stamp | null;
  problem: string;
  /** Which of what visitors share waits, and who is told of it. */
  moderation: ColumnType<Json, Json | undefined, Json>;
  /** When somebody was last told that something waits. */
  notified_at: ColumnType<Stamp | null, Stamp | null | undefined, Stamp | null>;
}

export interface FeedItemTable {
  id: Id;
  feed_id: number;
  /** Id of the item at its source. */
  external_id: string;
  name: string;
  message: string;
  /** Its picture where it is one of our own. */
  media_id: number | null;
  /** Its picture where it is at its source. */
  file_url: string;
  width: number | null;
  height: number | null;
  link: string;
  created_at: Stamp;
  /** `shown`, `hidden`, or `waiting` for somebody's approval. */
  state: Generated<string>;
  /** Why it waits or waited: `approval`, `word` or `proof`; null where it never did. */
  held_because: ColumnType<string | null, string | null | undefined, string | null>;
  /** Blocked word that it has. */
  held_word: ColumnType<string | null, string | null | undefined, string | null>;
  /** When it was removed; null while it is there. */
  removed_at: ColumnType<Stamp | null, Stamp | null | undefined, Stamp | null>;
}

export interface TemplateTable extends Owned {
  name: string;
  description: string;
  config: Json;
  model_type: string;
  hotspot_style: Generated<string>;
  font_color: string | null;
  width: number;
  height: number;
  depth: number;
  file_id: number | null;
  background_file_id: number | null;
  hdr_file_id: number | null;
  font_file_id: number | null;
  logo_file_id: number | null;
}

export interface MediaTable extends Owned {
  user_id: number | null;
  name: string;
  type: string;
  mime: string;
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
  /** File inside the stored folder at which the content begins. */
  entry: string;
  width: number | null;
  height: number | null;
  duration: number | null;
  details: Json;
  /** SHA-256 of the upload before anything was stripped or converted; null where it was not stored. */
  original_hash: ColumnType<string | null, string | null | undefined, string | null>;
  original_bytes: ColumnType<number | null, number | null | undefined, number | null>;
  original_name: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null where metadata has not been looked for; `stripped` where the file was stripped in its place, under the hash of its upload. */
  stripping: ColumnType<
    'checked' | 'stripped' | null,
    'checked' | 'stripped' | null | undefined,
    'checked' | 'stripped' | null
  >;
}

/** What is known of the whole installation, such as when it was last backed up. */
export interface InstallationNoteTable {
  id: Generated<number>;
  name: string;
  /** JSON. */
  value: string;
  updated_at: string;
}

/** The tables. */
export interface Tables {
  organizations: OrganizationTable;
  users: UserTable;
  sessions: SessionTable;
  attempts: AttemptTable;
  templates: TemplateTable;
  rooms: RoomTable;
  room_bases: RoomBaseTable;
  room_commands: RoomCommandTable;
  element_leases: ElementLeaseTable;
  editor_clients: EditorClientTable;
  elements: ElementTable;
  endpoints: EndpointTable;
  endpoint_addresses: EndpointAddressTable;
  media: MediaTable;
  access_tokens: AccessTokenTable;
  visitor_sessions: VisitorSessionTable;
  export_tickets: ExportTicketTable;
  password_resets: PasswordResetTable;
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  passkeys: PasskeyTable;
  sign_in_steps: SignInStepTable;
  identity_providers: IdentityProviderTable;
  identities: IdentityTable;
  api_keys: ApiKeyTable;
  changes: ChangeTable;
  change_rows: ChangeRowTable;
  audit_events: AuditEventTable;
  imports: ImportTable;
  bulk_jobs: BulkJobTable;
  live_streams: LiveStreamTable;
  platform_credentials: PlatformCredentialTable;
  feeds: FeedTable;
  feed_items: FeedItemTable;
  revisions: RevisionTable;
  publications: PublicationTable;
  posters: PosterTable;
  poster_files: PosterFileTable;
  poster_drawings: PosterDrawingTable;
  statistics_events: StatisticsEventTable;
  statistics_hours: StatisticsHourTable;
  statistics_poses: StatisticsPoseTable;
  statistics_salts: StatisticsSaltTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  structure_visits: StructureVisitTable;
  installation_notes: InstallationNoteTable;
}
