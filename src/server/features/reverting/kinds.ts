import type { Element } from '../../../../engine/document/element.ts';
import { ApiError } from '../../../contract/errors.ts';
import { freeSlug } from '../../../contract/slug.ts';
import type { Row, Which } from '../../core/changes/records.ts';
import {
  isThere,
  type Kind,
  type Kinds,
  type Reverted,
  type Reverting as RevertingBy,
  type Rules,
  revert,
  rowKind,
} from '../../core/changes/revert.ts';
import type { Database } from '../../core/db/database.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { hasTokens } from '../access-tokens/queries.ts';
import { contentColumns } from '../blocks/queries.ts';
import { listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import { restoreShares } from '../feeds/shares.ts';
import { findFiles, withoutMissingFiles } from '../media/queries.ts';
import { hasPosterFile } from '../posters/poster-files.ts';
import { touchRooms } from '../rooms/queries.ts';
import { TEMPLATE_FILES, usesOfTemplate } from '../templates/queries.ts';
import { requireRight } from '../users/rights.ts';
import { elements, rooms } from './revert-rooms.ts';
import { endpointTokens } from './revert-tokens.ts';
import { users } from './revert-users.ts';

type Reverting = RevertingBy<SignedInContext>;

/** Structures at their former position, or at the top level if the parent no longer exists. */
async function placeEndpoints({ db, context, missing }: Reverting, rows: Row[]): Promise<Row[]> {
  const own = new Set(rows.map(({ id }) => id));
  const all: Pick<StoredEndpoint, 'id' | 'slug' | 'parent_endpoint_id'>[] = (
    await listEndpoints(everywhere(db), context.organizationId)
  ).filter(({ id }) => !own.has(id));
  const placed: Row[] = [];
  for (const row of rows) {
    const { name, slug, parent_endpoint_id: above, room_id } = row as Row & StoredEndpoint;
    const parent =
      above !== null && all.some(({ id, parent_endpoint_id }) => id === above && parent_endpoint_id === null);
    if (above !== null && !parent) missing.push(`The parent of ${name}`);
    const siblings = all.filter((other) => other.parent_endpoint_id === (parent ? above : null));
    const free = freeSlug(slug, new Set(siblings.map((other) => other.slug)));
    if (free !== slug) missing.push(`The path /${slug} is taken, so it is now /${free}`);
    const hasRoom = room_id !== null && (await isThere(db, 'rooms', context.organizationId, room_id));
    if (room_id !== null && !hasRoom) missing.push(`The space of ${name}`);
    const next = {
      ...(row as Row & StoredEndpoint),
      slug: free,
      parent_endpoint_id: parent ? above : null,
      room_id: hasRoom ? room_id : null,
    };
    placed.push(next);
    all.push(next);
  }
  return placed;
}

/** Templates without missing files. */
async function placeTemplates({ db, context, missing }: Reverting, rows: Row[]): Promise<Row[]> {
  const fields = Object.values(TEMPLATE_FILES);
  const wanted = rows.flatMap((row) => fields.map((field) => row[field] as number | null));
  const files = await findFiles(db, context.organizationId, wanted);
  return rows.map((row) => {
    const gone = fields.filter((field) => (row[field] ?? null) !== null && !files.has(row[field] as number));
    missing.push(...gone.map((field) => `Template file (${field.replace(/_id$/, '').replaceAll('_', ' ')})`));
    return { ...row, ...Object.fromEntries(gone.map((field) => [field, null])) };
  });
}

/** Versions of blocks without missing files. */
async function placeVersions({ db, context, missing }: Reverting, rows: Row[]): Promise<Row[]> {
  const placed: Row[] = [];
  for (const row of rows) {
    const content: Element[] = JSON.parse(String(row.content));
    const { rows: elements, missing: gone } = await withoutMissingFiles(db, context.organizationId, content);
    // Versions share files.
    missing.push(...gone.filter((file) => !missing.includes(file)));
    placed.push({ ...row, ...contentColumns(elements) });
  }
  return placed;
}

/** Access tokens of existing structures. */
async function placeTokens({ db, context }: Reverting, rows: Row[]): Promise<Row[]> {
  const there = new Set<unknown>();
  for (const id of new Set(rows.map(({ endpoint_id }) => endpoint_id as number)))
    if (await isThere(db, 'endpoints', context.organizationId, id)) there.add(id);
  if (there.size === 0)
    throw new ApiError('invalid', 'The structure of this token no longer exists. Restore the structure first.');
  return rows.filter(({ endpoint_id }) => there.has(endpoint_id));
}

/** Settings without a missing template, font or logo. Quotas belong to the operator. */
async function placeOrganizations({ db, context, missing }: Reverting, rows: Row[]): Promise<Row[]> {
  return Promise.all(
    rows.map(async ({ quotas: _quotas, ...row }) => {
      const { template_id = null, font_file_id = null, logo_file_id = null } = row as Partial<Record<string, number>>;
      const files = await findFiles(db, context.organizationId, [font_file_id, logo_file_id]);
      const hasTemplate = template_id === null || (await isThere(db, 'templates', context.organizationId, template_id));
      const hasFont = font_file_id === null || files.has(font_file_id);
      const hasLogo = logo_file_id === null || files.has(logo_file_id);
      if (!hasTemplate) missing.push('The default template');
      if (!hasFont) missing.push('The default font');
      if (!hasLogo) missing.push('The logo');
      return {
        ...row,
        ...(!hasTemplate && { template_id: null }),
        ...(!hasFont && { font_file_id: null }),
        ...(!hasLogo && { logo_file_id: null }),
      };
    }),
  );
}

/** Posters whose images are still stored. */
async function placePosters({ db, context }: Reverting, rows: Row[]): Promise<Row[]> {
  const stored: Row[] = [];
  for (const row of rows) if (await hasPosterFile(db, context.organizationId, Number(row.file_id))) stored.push(row);
  return stored;
}

/** Log entries without removed users. */
async function placeEntries({ db }: Reverting, rows: Row[]): Promise<Row[]> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id as number | null))];
  const users = db.selectFrom('users').select('id').where('id', 'in', ids);
  const known = new Set((await users.execute()).map(({ id }) => id));
  return rows.map((row) => (known.has(row.user_id as number) ? row : { ...row, user_id: null }));
}

// Elements that show a stream or a feed resolve it again.
const after = ({ db, context }: Reverting) => touchRooms(db, context.organizationId);

const endpoints: Kind<SignedInContext> = rowKind('endpoints', 'endpoint', {
  place: placeEndpoints,
  changed: async ({ db }, { action, entity_id, name }) =>
    action === 'create' && (await hasTokens(db, entity_id)) ? `${name} has new access tokens.` : undefined,
  after: async (reverting, [row]) => {
    reverting.restored ??= { id: Number(row!.id), roomId: row!.room_id as number | null };
  },
});

const accessTokens = rowKind<SignedInContext>('access_tokens', 'access_token', {
  place: placeTokens,
  moving: ['last_used_at', 'checked_in_at'],
  isBelonging: true,
});
const feedItems = rowKind<SignedInContext>('feed_items', 'feed_item', { isBelonging: true });

const KINDS: Kinds<SignedInContext> = {
  block_versions: rowKind('block_versions', null, { place: placeVersions, isBelonging: true }),
  blocks: rowKind('blocks', 'block'),
  access_tokens: {
    ...accessTokens,
    delete: async (reverting, record) => {
      const [count, total] = [await accessTokens.delete!(reverting, record), record.content.rows!.length];
      if (count < total) reverting.missing.push(`${total - count} of ${total} tokens`);
      return count;
    },
  },
  elements,
  endpoint_addresses: rowKind('endpoint_addresses', null, { isBelonging: true }),
  endpoint_tokens: endpointTokens,
  endpoints,
  feed_items: {
    ...feedItems,
    isNoted: () => true,
    delete: async (reverting, record) => {
      if (record.content.rows) return feedItems.delete!(reverting, record);
      // An individually removed message is still in its table.
      const { found } = await restoreShares(reverting.db, reverting.context, [record.entity_id]);
      if (found === 0) throw new ApiError('invalid', 'The feed of this item no longer exists. Restore the feed first.');
      return 1;
    },
  },
  feeds: rowKind('feeds', 'feed', { after }),
  live_streams: rowKind('live_streams', 'live_stream', { after }),
  organizations: rowKind('organizations', 'organization', { place: placeOrganizations }),
  posters: rowKind('posters', null, { place: placePosters, isBelonging: true }),
  room_bases: rowKind('room_bases', null, { isBelonging: true }),
  room_commands: rowKind('room_commands', null, { place: placeEntries, isBelonging: true }),
  rooms,
  templates: rowKind('templates', 'template', {
    place: placeTemplates,
    refuse: async ({ db, context }, { entity_id, name }) => {
      const uses = await usesOfTemplate(db, context.organizationId, entity_id);
      if (uses.length > 0) throw new ApiError('in_use', { error: [`The template ${name} is still in use.`, ...uses] });
    },
  }),
  users,
};

/** Reverts a batch, or one entry of it, with the core's `revert`. */
export const revertBatch = (
  db: Database,
  context: SignedInContext,
  which: Which,
  options: Omit<Rules<SignedInContext>, 'kinds' | 'requireRight'>,
): Promise<Reverted> => revert(db, context, which, { kinds: KINDS, requireRight, ...options });
