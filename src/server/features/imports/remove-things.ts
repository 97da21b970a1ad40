import { AREA_OF_CHANGED, type ChangedEntity, type ImportKind } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { deleteTokens, removedTokens, type StoredToken } from '../access-tokens/queries.ts';
import { deleteEndpoint, listEndpoints } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { removeRoomIn } from '../rooms/remove-room.ts';
import { removedWithEndpoint } from '../structures/removed-endpoint.ts';
import { lockTemplate } from '../templates/queries.ts';
import { lockUser } from '../users/queries.ts';
import { requireRight } from '../users/rights.ts';
import { removeTemplate } from './import-templates.ts';
import { removeUser } from './import-users.ts';
import { attempt, type Importing, note } from './importing.ts';

/** The change log entity of each kind. */
const ENTITY_OF: Record<ImportKind, ChangedEntity> = {
  rooms: 'room',
  templates: 'template',
  endpoints: 'endpoint',
  users: 'user',
  access_tokens: 'access_token',
};

/** Removes an entity by id, and records its name. */
type Remove = (importing: Importing, id: number, index: number) => Promise<void>;

const gone = (what: string, id: number) => new ApiError('invalid', { id: [`There is no ${what} ${id}.`] });

const removeRoom: Remove = async (importing, id, index) => {
  const { db, context } = importing;
  const { room } = await removeRoomIn(db, context, id).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'not_found' ? gone('space', id) : error;
  });
  note(importing, { index, kind: 'rooms', key: room.name }, 'remove', { id });
};

const removeTemplateWithId: Remove = async (importing, id, index) => {
  const row = await lockTemplate(importing.db, importing.context.organizationId, id);
  if (!row) throw gone('template', id);
  await removeTemplate(importing, { index, kind: 'templates', key: row.name }, row);
};

const removeUserWithId: Remove = async (importing, id, index) => {
  const row = await lockUser(importing.db, importing.context.organizationId, id);
  if (!row) throw gone('user', id);
  await removeUser(importing, { index, kind: 'users', key: row.email }, row);
};

/** Removes a structure with its descendants and all their tokens. Each is restored separately, parents first. */
const removeEndpoint: Remove = async (importing, id, index) => {
  const { db, context } = importing;
  const all = await listEndpoints(db, context.organizationId);
  const found = all.find((row) => row.id === id);
  if (!found) throw gone('structure', id);
  const below = all.filter((row) => row.parent_endpoint_id === id);
  for (const listed of [...below, found]) {
    const isFirst = listed.id === id;
    const named = isFirst && below.length > 0 && { below: below.map(({ name }) => name) };
    const records = removedWithEndpoint(db, context.clock, listed);
    await recordEndpoint(db, context, 'delete', { ...listed, ...named }, undefined, { records });
    await deleteEndpoint(db, listed.id);
    const about = { index: isFirst ? index : null, kind: 'endpoints', key: listed.slug } as const;
    note(importing, about, 'remove', { id: listed.id });
  }
};

/** Removes tokens, grouped by structure and identified by id, because codes are credentials. */
async function removeTokens(importing: Importing, ids: readonly number[]): Promise<void> {
  const { db, context } = importing;
  const rows = await deleteTokens(db, context.organizationId, ids);
  const there = new Map(rows.map((row) => [row.id, row]));
  const byEndpoint = new Map<number, StoredToken[]>();
  for (const [index, id] of ids.entries()) {
    const about = { index, kind: 'access_tokens' as const, key: `access token ${id}` };
    await attempt(importing, about, async () => {
      const row = there.get(id);
      if (!row) throw gone('access token', id);
      byEndpoint.set(row.endpoint_id, [...(byEndpoint.get(row.endpoint_id) ?? []), row]);
      note(importing, about, 'remove', { id });
    });
  }
  const endpoints = new Map((await listEndpoints(db, context.organizationId)).map((row) => [row.id, row.name]));
  for (const [id, tokens] of byEndpoint) {
    const name = endpoints.get(id) ?? '';
    const before = { count: tokens.length, endpoint_ids: [id] };
    await recordChange(db, context, {
      action: 'delete',
      entity: 'access_token',
      entity_id: tokens[0]!.id,
      name,
      before,
      records: removedTokens('endpoint_tokens', { id, name }, tokens),
    });
  }
}

const REMOVE: Record<Exclude<ImportKind, 'access_tokens'>, Remove> = {
  rooms: removeRoom,
  templates: removeTemplateWithId,
  endpoints: removeEndpoint,
  users: removeUserWithId,
};

/**
 * Removes entities of one kind; undoing the job restores each of them.
 * @throws ApiError forbidden without the right to remove them
 */
export async function removeThings(importing: Importing, kind: ImportKind, given: readonly number[]): Promise<void> {
  requireRight(importing.context, AREA_OF_CHANGED[ENTITY_OF[kind]], 'delete');
  const ids = [...new Set(given)];
  if (kind === 'access_tokens') return removeTokens(importing, ids);
  for (const [index, id] of ids.entries())
    await attempt(importing, { index, kind, key: String(id) }, () => REMOVE[kind](importing, id, index));
}
