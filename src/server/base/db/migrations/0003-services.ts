import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Password links, API keys, the change log, live streams and feeds. */
export const services: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, owned, index, indexByName } = columnsFor(db);

    await db.schema.alterTable('users').addColumn('last_seen_at', 'text').execute();
    await indexByName('users');
    await indexByName('rooms');
    await indexByName('templates');
    await index('elements', ['room_id', 'order_rank', 'id']);
    await index('endpoints', ['organization_id', 'order_rank', 'id']);
    await index('media', ['organization_id', 'id']);
    await index('media', ['organization_id', 'user_id', 'id']);

    await table('password_resets')
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await index('password_resets', ['user_id']);
    await index('password_resets', ['expires_at']);

    await owned('api_keys')
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('name', 'text', required)
      .addColumn('hint', 'text', required)
      .addColumn('policies', 'text', required)
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('expires_at', 'text')
      .addColumn('last_used_at', 'text')
      .execute();
    await index('api_keys', ['organization_id', 'id']);
    await index('api_keys', ['user_id']);

    await table('changes')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('at', 'text', required)
      .addColumn('action', 'text', required)
      .addColumn('entity', 'text', required)
      .addColumn('entity_id', integer, required)
      .addColumn('room_id', integer)
      .addColumn('name', 'text', required)
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .addColumn('content', 'text')
      .addColumn('is_restorable', 'integer', zero)
      .addCheckConstraint('changes_is_restorable', sql`is_restorable in (0, 1)`)
      .addCheckConstraint('changes_action', sql`action in ('create', 'update', 'delete', 'restore', 'import')`)
      .execute();
    await index('changes', ['organization_id', 'id']);
    await index('changes', ['organization_id', 'entity', 'entity_id', 'id']);
    await index('changes', ['organization_id', 'room_id', 'id']);
    await index('changes', ['organization_id', 'is_restorable', 'id']);
    await index('changes', ['organization_id', 'user_id', 'id']);
    await index('changes', ['user_id']);
    await index('changes', ['is_restorable', 'at']);
    await index('changes', ['at']);

    await owned('live_streams')
      .addColumn('name', 'text', required)
      .addColumn('type', 'text', required)
      .addColumn('reference', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('encoder', 'text')
      .addColumn('player_hls_playback_url', 'text', required)
      .addColumn('webrtc_url', 'text', required)
      .addCheckConstraint('live_streams_name', sql`length(name) > 0`)
      .addCheckConstraint('live_streams_type', sql`type in ('wowza_live', 'youtube_live', 'vimeo', 'vimeo_live')`)
      .addCheckConstraint('live_streams_state', sql`state in ('stopped', 'starting', 'started')`)
      .execute();
    await indexByName('live_streams');

    await owned('feeds')
      .addColumn('name', 'text', required)
      .addColumn('type', 'text', required)
      .addColumn('config', 'text', required)
      .addColumn('secret', 'text')
      .addColumn('secret_expires_at', 'text')
      .addColumn('connect_hash', 'text', (column) => column.unique())
      .addColumn('connect_expires_at', 'text')
      .addColumn('fetched_at', 'text')
      .addColumn('problem', 'text', required)
      .addCheckConstraint('feeds_name', sql`length(name) > 0`)
      .addCheckConstraint('feeds_type', sql`type in ('instagram', 'picdrop', 'local')`)
      .execute();
    await indexByName('feeds');

    await table('feed_items')
      .addColumn('feed_id', integer, refers('feeds', 'cascade'))
      .addColumn('external_id', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('message', 'text', required)
      .addColumn('media_id', integer, refers('media', 'set null', false))
      .addColumn('file_url', 'text', required)
      .addColumn('width', 'double precision')
      .addColumn('height', 'double precision')
      .addColumn('link', 'text', required)
      .addColumn('created_at', 'text', required)
      .execute();
    await index('feed_items', ['feed_id', 'external_id'], true);
    await index('feed_items', ['feed_id', 'created_at']);
    await index('feed_items', ['media_id']);
  },
};
