import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Tables and indexes of 0.14.7, for both databases. `{id}` stands for the primary key, `{owned}` for the leading
 * columns of every organization's row, `{name}` for a case-insensitive name, and `{bytes}` for bytewise collation.
 */
const SCHEMA = `
  create table organizations (
    {id}, name text not null, host text unique, meta_title text not null, meta_description text not null,
    template_id bigint, font_file_id bigint, embed_domains text not null, realtime_api_key text not null,
    created_at text not null, updated_at text not null, texts text not null default '{}',
    audit_days integer not null default 365, shares_days integer, quotas text not null default '{}',
    requires_second_factor integer not null default 0, has_password_sign_in integer not null default 1,
    font_color text, has_statistics integer not null default 1, has_statistics_poses integer not null default 0
  );
  create table users (
    {owned}, email text not null unique, name text not null, password_hash text not null, policies text not null,
    is_active integer not null, last_seen_at text, has_second_factor integer not null default 0,
    preferences text not null default '{}', constraint users_is_active check (is_active in (0, 1))
  );
  create index users_by_name on users (organization_id, {name}, id);
  create table sessions (
    {id}, user_id bigint not null references users on delete cascade, family text not null,
    token_hash text not null unique, created_at text not null, renew_at text not null, expires_at text not null,
    signed_in_at text not null default '', last_used_at text not null default '', device text not null default '',
    address text not null default '', method text not null default ''
  );
  create index sessions_user_id on sessions (user_id);
  create index sessions_family on sessions (family);
  create index sessions_expires_at on sessions (expires_at);
  create table attempts (
    {id}, subject text not null, at text not null
  );
  create index attempts_subject_at on attempts (subject, at);
  create index attempts_at on attempts (at);
  create table media (
    {owned}, user_id bigint references users on delete set null, name text not null, type text not null,
    mime text not null, bytes bigint not null, hash text not null, entry text not null, width double precision,
    height double precision, duration double precision, details text not null
  );
  create index media_organization_id_type_id on media (organization_id, type, id);
  create index media_hash on media (hash);
  create index media_organization_id_id on media (organization_id, id);
  create index media_organization_id_user_id_id on media (organization_id, user_id, id);
  create table templates (
    {owned}, name text not null, description text not null, config text not null, model_type text not null,
    width double precision not null, height double precision not null, depth double precision not null,
    file_id bigint references media on delete restrict, background_file_id bigint references media on delete restrict,
    hdr_file_id bigint references media on delete restrict, font_file_id bigint references media on delete restrict,
    logo_file_id bigint references media on delete restrict, font_color text,
    hotspot_style text not null default 'dot',
    constraint templates_model_type check (model_type in ('grid', 'model', 'pano'))
  );
  create index templates_organization_id_name on templates (organization_id, name);
  create index templates_by_name on templates (organization_id, {name}, id);
  create table rooms (
    {owned}, version integer not null, name text not null, title text not null, description text not null,
    template_id bigint references templates on delete restrict, width double precision not null,
    height double precision not null, depth double precision not null, config text not null, angle text,
    revision bigint not null default 0, seq bigint not null default 0, touches integer not null default 0,
    constraint rooms_title check (length(title) > 0)
  );
  create index rooms_organization_id_title on rooms (organization_id, title);
  create index rooms_template_id on rooms (template_id);
  create index rooms_by_name on rooms (organization_id, {name}, id);
  create table elements (
    {owned}, room_id bigint not null references rooms on delete cascade,
    parent_element_id bigint references elements on delete cascade, order_rank integer not null,
    element text not null, name text not null, hidden integer not null default 0,
    file_id bigint references media on delete restrict, body text not null,
    constraint elements_hidden check (hidden in (0, 1))
  );
  create index elements_room_id_parent_element_id_order_rank on elements (room_id, parent_element_id, order_rank);
  create index elements_parent_element_id on elements (parent_element_id);
  create index elements_file_id on elements (file_id);
  create index elements_room_id_order_rank_id on elements (room_id, order_rank, id);
  create table endpoints (
    {owned}, name text not null, slug text not null, room_id bigint references rooms on delete set null,
    parent_endpoint_id bigint references endpoints on delete cascade, order_rank integer not null,
    is_visible integer not null, is_timed integer not null default 0, show_countdown integer not null default 0,
    start_time text, start_time_utc_offset integer, is_protected integer not null default 0,
    access_token_duration integer, shows text not null default 'edited' check (shows in ('edited', 'published')),
    constraint endpoints_duration check (access_token_duration >= 5)
  );
  create unique index endpoints_slug on endpoints (organization_id, coalesce(parent_endpoint_id, 0), slug);
  create index endpoints_parent_endpoint_id on endpoints (parent_endpoint_id);
  create index endpoints_room_id on endpoints (room_id);
  create index endpoints_organization_id_order_rank_id on endpoints (organization_id, order_rank, id);
  create table access_tokens (
    {owned}, endpoint_id bigint not null references endpoints on delete cascade, token text not null, valid_from text,
    valid_till text, valid_duration integer, first_used_at text,
    constraint access_tokens_token check (length(token) > 0),
    constraint access_tokens_duration check (valid_duration >= 5)
  );
  create unique index access_tokens_endpoint_id_token on access_tokens (endpoint_id, token{bytes});
  create index access_tokens_endpoint_id_id on access_tokens (endpoint_id, id);
  create index access_tokens_organization_id_id on access_tokens (organization_id, id);
  create index access_tokens_organization_id_first_used_at on access_tokens (organization_id, first_used_at, id) where first_used_at is not null;
  create index access_tokens_organization_id_valid_till on access_tokens (organization_id, valid_till, id) where valid_till is not null;
  create index access_tokens_endpoint_id_first_used_at on access_tokens (endpoint_id, first_used_at, id) where first_used_at is not null;
  create index access_tokens_endpoint_id_valid_till on access_tokens (endpoint_id, valid_till, id) where valid_till is not null;
  create table visitor_sessions (
    {id}, endpoint_id bigint not null references endpoints on delete cascade,
    access_token_id bigint not null references access_tokens on delete cascade, token_hash text not null unique,
    created_at text not null, expires_at text not null
  );
  create index visitor_sessions_access_token_id on visitor_sessions (access_token_id);
  create index visitor_sessions_endpoint_id on visitor_sessions (endpoint_id);
  create index visitor_sessions_expires_at on visitor_sessions (expires_at);
  create table export_tickets (
    {id}, endpoint_id bigint not null references endpoints on delete cascade,
    user_id bigint not null references users on delete cascade, family text not null, token_hash text not null unique,
    expires_at text not null
  );
  create index export_tickets_endpoint_id on export_tickets (endpoint_id);
  create index export_tickets_user_id on export_tickets (user_id);
  create index export_tickets_expires_at on export_tickets (expires_at);
  create table password_resets (
    {id}, user_id bigint not null references users on delete cascade, token_hash text not null unique,
    created_at text not null, expires_at text not null
  );
  create index password_resets_user_id on password_resets (user_id);
  create index password_resets_expires_at on password_resets (expires_at);
  create table api_keys (
    {owned}, user_id bigint not null references users on delete cascade, name text not null, hint text not null,
    policies text not null, key_hash text not null unique, expires_at text, last_used_at text
  );
  create index api_keys_organization_id_id on api_keys (organization_id, id);
  create index api_keys_user_id on api_keys (user_id);
  create table changes (
    {id}, organization_id bigint not null references organizations on delete cascade,
    user_id bigint references users on delete set null, at text not null, action text not null, entity text not null,
    entity_id bigint not null, room_id bigint, name text not null, before text, after text, content text,
    is_restorable integer not null default 0, author_name text, seq bigint,
    constraint changes_is_restorable check (is_restorable in (0, 1)),
    constraint changes_action check (action in ('create', 'update', 'delete', 'restore', 'import'))
  );
  create index changes_organization_id_id on changes (organization_id, id);
  create index changes_organization_id_entity_entity_id_id on changes (organization_id, entity, entity_id, id);
  create index changes_organization_id_room_id_id on changes (organization_id, room_id, id);
  create index changes_organization_id_is_restorable_id on changes (organization_id, is_restorable, id);
  create index changes_organization_id_user_id_id on changes (organization_id, user_id, id);
  create index changes_user_id on changes (user_id);
  create index changes_is_restorable_at on changes (is_restorable, at);
  create index changes_at on changes (at);
  create table live_streams (
    {owned}, name text not null, type text not null, reference text not null, state text not null, encoder text,
    player_hls_playback_url text not null, webrtc_url text not null,
    constraint live_streams_name check (length(name) > 0),
    constraint live_streams_type check (type in ('wowza_live', 'youtube_live', 'vimeo', 'vimeo_live')),
    constraint live_streams_state check (state in ('stopped', 'starting', 'started'))
  );
  create index live_streams_by_name on live_streams (organization_id, {name}, id);
  create table feeds (
    {owned}, name text not null, type text not null, config text not null, secret text, secret_expires_at text,
    connect_hash text unique, connect_expires_at text, fetched_at text, problem text not null,
    moderation text not null default '{}', notified_at text, constraint feeds_name check (length(name) > 0),
    constraint feeds_type check (type in ('instagram', 'picdrop', 'local'))
  );
  create index feeds_by_name on feeds (organization_id, {name}, id);
  create table feed_items (
    {id}, feed_id bigint not null references feeds on delete cascade, external_id text not null, name text not null,
    message text not null, media_id bigint references media on delete set null, file_url text not null,
    width double precision, height double precision, link text not null, created_at text not null,
    state text not null default 'shown' check (state in ('shown', 'hidden', 'waiting')),
    held_because text check (held_because in ('approval', 'word', 'proof')), held_word text, removed_at text
  );
  create unique index feed_items_feed_id_external_id on feed_items (feed_id, external_id);
  create index feed_items_feed_id_created_at on feed_items (feed_id, created_at);
  create index feed_items_media_id on feed_items (media_id);
  create index feed_items_feed_id_state_created_at on feed_items (feed_id, state, created_at);
  create index feed_items_held on feed_items (media_id) where state <> 'shown';
  create index feed_items_removed on feed_items (removed_at) where removed_at is not null;
  create table revisions (
    {owned}, room_id bigint not null references rooms on delete cascade,
    user_id bigint references users on delete set null, kind text not null, name text not null, hash text not null,
    elements integer not null, content text not null, author_name text,
    constraint revisions_kind check (kind in ('named', 'automatic', 'before_restore'))
  );
  create index revisions_room_id_id on revisions (room_id, id);
  create index revisions_organization_id_id on revisions (organization_id, id);
  create index revisions_user_id on revisions (user_id);
  create table imports (
    {id}, organization_id bigint not null references organizations on delete cascade,
    user_id bigint references users on delete set null, at text not null, kind text not null, idempotency_key text,
    request_hash text not null, answer text not null, undone_at text, author_name text
  );
  create index imports_organization_id_id on imports (organization_id, id);
  create unique index imports_organization_id_user_id_idempotency_key on imports (organization_id, user_id, idempotency_key);
  create index imports_user_id on imports (user_id);
  create index imports_at on imports (at);
  create table import_steps (
    {id}, import_id bigint not null references imports on delete cascade, kind text not null, done text not null,
    entity_id bigint not null, mark text, name text not null, content text not null
  );
  create index import_steps_import_id_id on import_steps (import_id, id);
  create table audit_events (
    {id}, organization_id bigint not null references organizations on delete cascade, at text not null,
    event text not null, user_id bigint references users on delete set null, user_name text not null,
    api_key text not null, address text not null, device text not null, subject text not null, details text not null
  );
  create index audit_events_organization_id_id on audit_events (organization_id, id);
  create index audit_events_user_id on audit_events (user_id);
  create index audit_events_at on audit_events (at);
  create table platform_credentials (
    {owned}, platform text not null, name text not null, sealed text not null, hint text not null,
    constraint platform_credentials_platform check (platform in ('youtube', 'vimeo', 'wowza', 'instagram'))
  );
  create unique index platform_credentials_organization_id_platform_name on platform_credentials (organization_id, platform, name);
  create table second_factors (
    {id}, user_id bigint not null references users on delete cascade, secret text not null,
    is_confirmed integer not null default 0, last_step bigint not null default 0, created_at text not null
  );
  create unique index second_factors_user_id on second_factors (user_id);
  create table recovery_codes (
    {id}, user_id bigint not null references users on delete cascade, code_hash text not null
  );
  create unique index recovery_codes_user_id_code_hash on recovery_codes (user_id, code_hash);
  create table passkeys (
    {id}, user_id bigint not null references users on delete cascade, name text not null, credential_id text not null,
    public_key text not null, counter bigint not null default 0, transports text not null, site text not null,
    created_at text not null, last_used_at text
  );
  create index passkeys_user_id on passkeys (user_id);
  create unique index passkeys_credential_id on passkeys (credential_id);
  create table sign_in_steps (
    {id}, purpose text not null, token_hash text not null, user_id bigint references users on delete cascade,
    bound_to text not null, expires_at text not null
  );
  create unique index sign_in_steps_token_hash on sign_in_steps (token_hash);
  create index sign_in_steps_user_id on sign_in_steps (user_id);
  create index sign_in_steps_expires_at on sign_in_steps (expires_at);
  create table identity_providers (
    {owned}, issuer text not null, client_id text not null, client_secret text not null, domains text not null,
    button_text text not null, creates_users integer not null default 0, policies text not null
  );
  create unique index identity_providers_organization_id on identity_providers (organization_id);
  create table identities (
    {id}, organization_id bigint not null references organizations on delete cascade,
    user_id bigint not null references users on delete cascade, issuer text not null, subject text not null,
    created_at text not null
  );
  create unique index identities_organization_id_issuer_subject on identities (organization_id, issuer, subject);
  create index identities_user_id on identities (user_id);
  create table installation_notes (
    {id}, name text not null, value text not null, updated_at text not null
  );
  create unique index installation_notes_name on installation_notes (name);
  create table room_bases (
    {id}, room_id bigint not null references rooms on delete cascade,
    organization_id bigint not null references organizations on delete cascade, seq bigint not null,
    content text not null
  );
  create unique index room_bases_room_id on room_bases (room_id);
  create table room_commands (
    {id}, room_id bigint not null references rooms on delete cascade,
    organization_id bigint not null references organizations on delete cascade, seq bigint not null, client text,
    mutation bigint, origin text not null, user_id bigint references users on delete set null, author_name text,
    at text not null, commands text not null, inverses text not null, ids text not null
  );
  create unique index room_commands_room_id_seq on room_commands (room_id, seq);
  create unique index room_commands_room_id_client_mutation on room_commands (room_id, client, mutation);
  create index room_commands_user_id on room_commands (user_id);
  create index room_commands_at on room_commands (at);
  create table element_leases (
    {id}, room_id bigint not null references rooms on delete cascade,
    organization_id bigint not null references organizations on delete cascade, client text not null,
    first bigint not null, last bigint not null, at text not null
  );
  create index element_leases_room_id on element_leases (room_id);
  create index element_leases_first on element_leases (first);
  create index element_leases_at on element_leases (at);
  create table publications (
    {owned}, room_id bigint not null references rooms on delete cascade,
    revision_id bigint references revisions on delete no action, user_id bigint references users on delete set null,
    author_name text, at text not null, zone text, is_scheduled integer not null default 0, template_id bigint,
    file_ids text not null
  );
  create index publications_room_id_is_scheduled_id on publications (room_id, is_scheduled, id);
  create index publications_organization_id_id on publications (organization_id, id);
  create index publications_revision_id on publications (revision_id);
  create index publications_user_id on publications (user_id);
  create unique index publications_schedule on publications (room_id) where is_scheduled = 1;
  create index publications_due on publications (at) where is_scheduled = 1;
  create table endpoint_addresses (
    {owned}, endpoint_id bigint not null references endpoints on delete cascade, path text not null
  );
  create unique index endpoint_addresses_organization_id_path on endpoint_addresses (organization_id, path);
  create index endpoint_addresses_endpoint_id on endpoint_addresses (endpoint_id);
  create table statistics_salts (
    {id}, day text not null, salt text not null
  );
  create unique index statistics_salts_day on statistics_salts (day);
  create table webhooks (
    {owned}, name text not null, url text not null, events text not null, sealed text not null,
    is_paused integer not null default 0, failing_since text, disabled_at text
  );
  create index webhooks_organization_id_id on webhooks (organization_id, id);
  create table webhook_deliveries (
    {id}, organization_id bigint not null references organizations on delete cascade,
    webhook_id bigint not null references webhooks on delete cascade, message_id text not null, event text not null,
    payload text not null, created_at text not null,
    state text not null check (state in ('waiting', 'delivered', 'failed')), attempts integer not null default 0,
    next_at text, status integer, answer text not null
  );
  create index webhook_deliveries_webhook_id_id on webhook_deliveries (webhook_id, id);
  create index webhook_deliveries_organization_id_created_at on webhook_deliveries (organization_id, created_at);
  create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting';
  create table structure_visits (
    {id}, organization_id bigint not null references organizations on delete cascade,
    endpoint_id bigint not null references endpoints on delete cascade, at text not null
  );
  create unique index structure_visits_endpoint_id on structure_visits (endpoint_id);
  create table poster_files (
    {owned}, hash text not null, bytes bigint not null, needed_until text not null
  );
  create unique index poster_files_organization_id_hash on poster_files (organization_id, hash);
  create index poster_files_hash on poster_files (hash);
  create index poster_files_needed_until on poster_files (needed_until);
  create table posters (
    {owned}, room_id bigint references rooms on delete cascade,
    template_id bigint references templates on delete cascade,
    endpoint_id bigint references endpoints on delete cascade, kind text not null check (kind in ('drawn', 'chosen')),
    token text not null, small text not null, large text not null,
    file_id bigint references poster_files on delete set null, version text,
    media_id bigint references media on delete cascade
  );
  create unique index posters_room_id on posters (room_id);
  create unique index posters_template_id on posters (template_id);
  create unique index posters_endpoint_id on posters (endpoint_id);
  create unique index posters_token on posters (token);
  create index posters_organization_id on posters (organization_id);
  create index posters_file_id on posters (file_id);
  create unique index posters_media_id on posters (media_id);
  create table poster_drawings (
    {owned}, room_id bigint references rooms on delete cascade,
    template_id bigint references templates on delete cascade, version text not null,
    attempts integer not null default 0, taken_till text, next_at text
  );
  create unique index poster_drawings_room_id on poster_drawings (room_id);
  create unique index poster_drawings_template_id on poster_drawings (template_id);
`;

/**
 * Statistics grow with visits. PostgreSQL stores them in one partition per month, created as months begin, and a
 * default partition. Times collate bytewise, since they bound the partitions.
 */
const STATISTICS = [
  {
    name: 'statistics_events',
    time: 'at',
    columns: `kind text not null, visitor text, visit text, subject text not null, other_id bigint not null,
      amount bigint not null`,
  },
  {
    name: 'statistics_hours',
    time: 'hour',
    columns: `kind text not null, subject text not null, other_id bigint not null, count bigint not null,
      amount bigint not null`,
  },
  {
    name: 'statistics_poses',
    time: 'at',
    columns: 'x integer not null, y integer not null, z integer not null, heading integer not null',
  },
];
const STATISTICS_INDEXES = `
  create index statistics_events_at on statistics_events (at);
  create index statistics_events_organization_id_at on statistics_events (organization_id, at);
  create index statistics_events_endpoint_id on statistics_events (endpoint_id);
  create index statistics_hours_hour on statistics_hours (hour);
  create index statistics_hours_organization_id_kind_hour on statistics_hours (organization_id, kind, hour);
  create index statistics_hours_endpoint_id_kind_hour on statistics_hours (endpoint_id, kind, hour);
  create index statistics_poses_at on statistics_poses (at);
  create index statistics_poses_organization_id_endpoint_id_id on statistics_poses (organization_id, endpoint_id, id);
  create index statistics_poses_endpoint_id on statistics_poses (endpoint_id);
`;

/**
 * PostgreSQL looks up a foreign key once per row, which takes nearly half the time of a large import. Tokens check
 * theirs once per statement instead, with the same rejections, locks and cascades.
 */
const TOKEN_REFERENCES = [
  `alter table access_tokens
    drop constraint access_tokens_organization_id_fkey, drop constraint access_tokens_endpoint_id_fkey`,
  // Locks the structures, so that none is deleted before the tokens are inserted.
  `create function access_tokens_refer() returns trigger language plpgsql as $$
  begin
    perform 1 from endpoints where id in (select distinct endpoint_id from changed) for key share;
    if exists (
      select 1 from (select distinct endpoint_id from changed) as named
      where not exists (select 1 from endpoints where id = endpoint_id)
    ) then
      raise foreign_key_violation using
        message = 'an access token refers to a structure that does not exist',
        table = 'access_tokens', constraint = 'access_tokens_endpoint_id_fkey';
    end if;
    return null;
  end $$`,
  ...['insert', 'update'].map(
    (action) => `create trigger access_tokens_refer_${action} after ${action} on access_tokens
      referencing new table as changed for each statement execute function access_tokens_refer()`,
  ),
  `create function endpoints_remove_tokens() returns trigger language plpgsql as $$
  begin
    delete from access_tokens where endpoint_id in (select id from removed);
    return null;
  end $$`,
  `create trigger endpoints_remove_tokens after delete on endpoints
    referencing old table as removed for each statement execute function endpoints_remove_tokens()`,
];

const ORGANIZATION = 'organization_id bigint not null references organizations on delete cascade';

const POSTGRES = {
  '{id}': 'id bigint generated by default as identity primary key',
  '{name}': 'lower(name)',
  '{bytes}': ' collate "C"',
};
const SQLITE = {
  '{id}': 'id integer primary key autoincrement',
  '{name}': 'name collate nocase',
  '{bytes}': '',
  bigint: 'integer',
};

/** The schema of 0.14.7, from which later migrations start. */
export const baseline: Migration = {
  up: async (db: Kysely<unknown>) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const statistics = STATISTICS.flatMap(({ name, time, columns }) => {
      const endpoint = 'endpoint_id bigint not null references endpoints on delete cascade';
      if (!isPostgres)
        return `create table ${name} ({id}, ${ORGANIZATION}, ${endpoint}, ${time} text not null, ${columns})`;
      return [
        `create table ${name} (id bigint generated by default as identity, ${ORGANIZATION}, ${endpoint},
          ${time} text collate "C" not null, ${columns}, primary key (id, ${time})) partition by range (${time})`,
        `create table ${name}_other partition of ${name} default`,
      ];
    });
    const statements = [
      ...SCHEMA.split(';'),
      ...statistics,
      ...STATISTICS_INDEXES.split(';'),
      ...(isPostgres ? TOKEN_REFERENCES : []),
    ];
    for (const statement of statements) {
      if (!statement.trim()) continue;
      let text = statement.replaceAll(
        '{owned}',
        `{id}, ${ORGANIZATION}, created_at text not null, updated_at text not null`,
      );
      for (const [mark, stands] of Object.entries(isPostgres ? POSTGRES : SQLITE)) text = text.replaceAll(mark, stands);
      await sql.raw(text).execute(db);
    }
  },
};
