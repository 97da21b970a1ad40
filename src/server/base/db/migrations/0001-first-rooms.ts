import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Organizations, users and their sessions, templates, rooms, elements, endpoints, media. */
export const firstRooms: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, owned, index } = columnsFor(db);

    await table('organizations')
      .addColumn('name', 'text', required)
      .addColumn('host', 'text', (column) => column.unique())
      .addColumn('meta_title', 'text', required)
      .addColumn('meta_description', 'text', required)
      .addColumn('template_id', integer)
      .addColumn('font_file_id', integer)
      .addColumn('font_color', 'text', required)
      .addColumn('embed_domains', 'text', required)
      .addColumn('realtime_api_key', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('updated_at', 'text', required)
      .execute();

    await owned('users')
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', required)
      .addColumn('password_hash', 'text', required)
      .addColumn('policies', 'text', required)
      .addColumn('is_active', 'integer', required)
      .addCheckConstraint('users_is_active', sql`is_active in (0, 1)`)
      .execute();

    await table('sessions')
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('family', 'text', required)
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', required)
      .addColumn('renew_at', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await index('sessions', ['user_id']);
    await index('sessions', ['family']);
    await index('sessions', ['expires_at']);

    await table('attempts').addColumn('subject', 'text', required).addColumn('at', 'text', required).execute();
    await index('attempts', ['subject', 'at']);
    await index('attempts', ['at']);

    await owned('media')
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('name', 'text', required)
      .addColumn('type', 'text', required)
      .addColumn('mime', 'text', required)
      .addColumn('bytes', integer, required)
      .addColumn('hash', 'text', required)
      .addColumn('entry', 'text', required)
      .addColumn('width', 'double precision')
      .addColumn('height', 'double precision')
      .addColumn('duration', 'double precision')
      .addColumn('details', 'text', required)
      .execute();
    await index('media', ['organization_id', 'type', 'id']);
    await index('media', ['hash']);

    await owned('templates')
      .addColumn('name', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('config', 'text', required)
      .addColumn('model_type', 'text', required)
      .addColumn('font_color', 'text', required)
      .addColumn('width', 'double precision', required)
      .addColumn('height', 'double precision', required)
      .addColumn('depth', 'double precision', required)
      .addColumn('file_id', integer, refers('media', 'restrict', false))
      .addColumn('background_file_id', integer, refers('media', 'restrict', false))
      .addColumn('hdr_file_id', integer, refers('media', 'restrict', false))
      .addColumn('font_file_id', integer, refers('media', 'restrict', false))
      .addColumn('logo_file_id', integer, refers('media', 'restrict', false))
      .addCheckConstraint('templates_model_type', sql`model_type in ('grid', 'model', 'pano')`)
      .execute();
    await index('templates', ['organization_id', 'name']);

    await owned('rooms')
      .addColumn('version', 'integer', required)
      .addColumn('name', 'text', required)
      .addColumn('title', 'text', required)
      .addColumn('description', 'text', required)
      .addColumn('template_id', integer, refers('templates', 'restrict', false))
      .addColumn('width', 'double precision', required)
      .addColumn('height', 'double precision', required)
      .addColumn('depth', 'double precision', required)
      .addColumn('config', 'text', required)
      .addColumn('angle', 'text')
      .addCheckConstraint('rooms_title', sql`length(title) > 0`)
      .execute();
    await index('rooms', ['organization_id', 'title']);
    await index('rooms', ['template_id']);

    await owned('elements')
      .addColumn('room_id', integer, refers('rooms', 'cascade'))
      .addColumn('parent_element_id', integer, refers('elements', 'cascade', false))
      .addColumn('order_rank', 'integer', required)
      .addColumn('element', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('hidden', 'integer', zero)
      .addColumn('file_id', integer, refers('media', 'restrict', false))
      .addColumn('body', 'text', required)
      .addCheckConstraint('elements_hidden', sql`hidden in (0, 1)`)
      .execute();
    await index('elements', ['room_id', 'parent_element_id', 'order_rank']);
    await index('elements', ['parent_element_id']);
    await index('elements', ['file_id']);

    await owned('endpoints')
      .addColumn('name', 'text', required)
      .addColumn('slug', 'text', required)
      .addColumn('room_id', integer, refers('rooms', 'set null', false))
      .addColumn('parent_endpoint_id', integer, refers('endpoints', 'cascade', false))
      .addColumn('order_rank', 'integer', required)
      .addColumn('is_visible', 'integer', required)
      .addColumn('is_timed', 'integer', zero)
      .addColumn('show_countdown', 'integer', zero)
      .addColumn('start_time', 'text')
      .addColumn('start_time_utc_offset', 'integer')
      .addColumn('is_protected', 'integer', zero)
      .addColumn('access_token_duration', 'integer')
      .addCheckConstraint('endpoints_duration', sql`access_token_duration >= 5`)
      .execute();
    // Slugs are unique among siblings; null parents count as one parent.
    await sql`create unique index endpoints_slug on endpoints (organization_id, coalesce(parent_endpoint_id, 0), slug)`.execute(
      db,
    );
    await index('endpoints', ['parent_endpoint_id']);
    await index('endpoints', ['room_id']);
  },
};
