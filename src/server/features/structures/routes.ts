import type { Endpoint } from '../../../contract/entities.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { everywhere, limitsOf } from '../../core/db/limited.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import {
  countTokens,
  findEndpoint,
  listEndpoints,
  listFamily,
  listOldAddresses,
  STRUCTURE,
  type StoredEndpoint,
  unseenParents,
} from '../endpoints/queries.ts';
import { smallPosters } from '../posters/queries.ts';
import { choosePosterOf, readPosterOf, removePosterOf } from '../posters/service.ts';
import { shownStates } from '../publications/published.ts';
import { seenRooms } from '../rooms/queries.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import { createExportTicket } from '../users/sessions.ts';
import { createWithRoom } from './create-with-room.ts';
import { listCodes } from './list-codes.ts';
import { listRows } from './list-rows.ts';
import { copyEndpoint, createEndpoint, moveEndpoint, removeAddress, removeEndpoint, sortEndpoints } from './service.ts';
import { exportStructureTexts, importStructureTexts, translateEndpoint } from './translate.ts';
import { endpointTree, findInTree, searchTree, type TreeFacts } from './tree.ts';
import { updateEndpoint } from './update-endpoint.ts';

/** Data for the derived fields of structures. */
async function factsOf(context: CallContext, rows: readonly StoredEndpoint[]): Promise<TreeFacts> {
  const { db } = context;
  const rooms = rows.flatMap(({ room_id }) => room_id ?? []);
  const seen = limitsOf(db) && new Set(await seenRooms(db, rooms));
  return {
    endpoints: entryPoliciesOf(context, 'endpoints'),
    rooms: entryPoliciesOf(context, 'rooms'),
    tokens: await countTokens(db, rows),
    posters: await smallPosters(db, 'room_id', rooms),
    ownPosters: await smallPosters(
      db,
      'endpoint_id',
      rows.map(({ id }) => id),
    ),
    above: await unseenParents(db, rows),
    seesRoom: (id) => seen?.has(id) ?? true,
    stateOf: await shownStates({ ...context, db: everywhere(db) }, rows),
    now: context.clock.now() / 1000,
  };
}

/** Builds the tree of an organization's structures. */
const treeOf = async (context: CallContext, rows: readonly StoredEndpoint[]): Promise<Endpoint[]> =>
  endpointTree(rows, await factsOf(context, rows));

async function one(context: CallContext, id: number): Promise<Endpoint> {
  const family = await listFamily(context.db, context.organizationId, id);
  const found = orNotFound(findInTree(await treeOf(context, family), id));
  return found;
}

export const endpoints: Omit<Handlers<'endpoints'>, 'buildSite' | 'scormPackage'> = {
  list: async (context, { query }) => {
    const all = await treeOf(context, await listEndpoints(context.db, context.organizationId));
    return query.search ? searchTree(all, query.search) : all;
  },

  rows: (context, { query }) => listRows(context, query, (rows) => factsOf(context, rows)),

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body, file }) => {
    const { id, report } = await createEndpoint(context, body, file);
    return { data: await one(context, id), report };
  },

  createWithRoom: async (context, { body }) => {
    const { endpointId, roomId, tokens } = await createWithRoom(context, body);
    return { endpoint: await one(context, endpointId), room_id: roomId, tokens };
  },

  copy: async (context, { params, body }) => one(context, await copyEndpoint(context, params.id, body)),

  update: async (context, { params, body, file }) => {
    const report = await updateEndpoint(context, params.id, { body, file });
    return { data: await one(context, params.id), report };
  },

  translate: async (context, { params, body }) => {
    await translateEndpoint(context, params.id, body);
    return one(context, params.id);
  },

  exportTranslations: (context, { params, query }) => exportStructureTexts(context, params.id, query),

  importTranslations: (context, { params, body, file }) => importStructureTexts(context, params.id, file, body),

  readPoster: async (context, { params }) => readPosterOf(context, STRUCTURE, params.id),

  choosePoster: async (context, { params, body }) => choosePosterOf(context, STRUCTURE, params.id, body.file_id),

  removePoster: async (context, { params }) => {
    await removePosterOf(context, STRUCTURE, params.id);
    return null;
  },

  createExportTicket: async ({ db, clock, organizationId, user }, { params }) => {
    orNotFound(await findEndpoint(db, organizationId, params.id));
    const made = { endpointId: params.id, userId: user.userId, family: user.session };
    return { token: await createExportTicket(db, clock, made) };
  },

  exportTokens: async (context, { params, query }) => {
    const { db, organizationId } = context;
    const endpoint = orNotFound(await findEndpoint(db, organizationId, params.id));
    await recordEvent(db, context, { event: 'exported', subject: `Access tokens of ${endpoint.name}` });
    return listCodes(db, endpoint, query.format);
  },

  remove: async (context, { params }) => {
    await removeEndpoint(context, params.id);
    return null;
  },

  addresses: async ({ db, organizationId }, { params }) => {
    orNotFound(await findEndpoint(db, organizationId, params.id));
    return listOldAddresses(db, params.id);
  },

  removeAddress: async (context, { params, body }) => {
    await removeAddress(context, params.id, body.path);
    return null;
  },

  move: async (context, { params, body }) => {
    await moveEndpoint(context, params.id, body);
    return one(context, params.id);
  },

  reorder: async (context, { body }) => {
    await sortEndpoints(context, body);
    return null;
  },
};
