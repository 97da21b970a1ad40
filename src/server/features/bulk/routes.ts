import { isRecord } from '../../../../engine/document/field-paths.ts';
import { type Call, scopeOf } from '../../../contract/call.ts';
import { calls } from '../../../contract/calls.ts';
import {
  type Area,
  type BlockUpdate,
  BULK_FIELDS,
  type BulkActionName,
  type Right,
} from '../../../contract/entities.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Handler, Handlers } from '../../core/http/handler.ts';
import { requireRight, requireScope } from '../users/rights.ts';
import { effectsOf } from './queries.ts';
import { createJob, type DoOne, readJob } from './service.ts';

/** The call of a bulk action. */
interface Action {
  area: keyof typeof calls;
  name: string;
  body?: Record<string, unknown>;
  /** Whether to process ids in descending order. */
  isLatestFirst?: true;
  /** Whether an entity already has the target state, if the body doesn't tell. */
  isDone?(entity: Record<string, unknown>, now: number): boolean;
  /** Reads the result of a call that may leave the entity unchanged. */
  outcomeOf?(result: unknown): { isChanged: boolean; problems: string[] };
  /** Whether to read the entity first and skip it if it already has the target state. */
  isRead?: true;
}

/** The call and request body of each action. */
const ACTIONS: Record<BulkActionName, Action> = {
  'rooms.remove': { area: 'rooms', name: 'remove' },
  'rooms.publish': { area: 'publications', name: 'publish', body: {} },
  'rooms.template': { area: 'rooms', name: 'update' },
  'rooms.update_block': {
    area: 'blocks',
    name: 'updateIn',
    outcomeOf: (result) => {
      const { room, updated, skipped } = result as BlockUpdate;
      return { isChanged: updated > 0, problems: skipped.map((place) => `“${place}” was changed in ${room}.`) };
    },
  },
  'blocks.remove': { area: 'blocks', name: 'remove' },
  'rooms.folder': { area: 'rooms', name: 'move' },
  'media.remove': { area: 'media', name: 'remove' },
  'templates.remove': { area: 'templates', name: 'remove' },
  'endpoints.remove': { area: 'endpoints', name: 'remove' },
  'endpoints.show': { area: 'endpoints', name: 'update', body: { is_visible: true }, isRead: true },
  'endpoints.hide': { area: 'endpoints', name: 'update', body: { is_visible: false }, isRead: true },
  'endpoints.move': { area: 'endpoints', name: 'update', isRead: true },
  'users.remove': { area: 'users', name: 'remove' },
  'users.activate': { area: 'users', name: 'update', body: { is_active: true }, isRead: true },
  'users.deactivate': { area: 'users', name: 'update', body: { is_active: false }, isRead: true },
  'liveStreams.remove': { area: 'liveStreams', name: 'remove' },
  'feeds.remove': { area: 'feeds', name: 'remove' },
  'webhooks.remove': { area: 'webhooks', name: 'remove' },
  'webhooks.pause': { area: 'webhooks', name: 'update', body: { is_paused: true } },
  'webhooks.resume': { area: 'webhooks', name: 'update', body: { is_paused: false } },
  'apiKeys.remove': { area: 'apiKeys', name: 'remove' },
  'accessTokens.update': { area: 'accessTokens', name: 'update', isRead: true },
  'accessTokens.revoke': {
    area: 'accessTokens',
    name: 'revoke',
    isDone: ({ valid_till }, now) => typeof valid_till === 'string' && Date.parse(valid_till) <= now,
  },
  'bin.restore': { area: 'history', name: 'restore', isLatestFirst: true },
};

const callOf = (action: BulkActionName): Call => {
  const { area, name } = ACTIONS[action];
  return (calls[area] as Record<string, Call>)[name]!;
};

/** Checks the caller's right to an action. @throws ApiError forbidden */
function requireAction(context: SignedInContext, action: BulkActionName): void {
  const call = callOf(action);
  const { access } = call;
  requireScope(context.user, scopeOf(call));
  // Bin entries belong to several areas; each is checked when it is processed.
  if (access === 'session') return;
  const [area, right] = access.split('.') as [Area, Right];
  requireRight(context, area, right);
}

/** Finds the handler of another area's call. */
export type FindHandler = (area: string, name: string) => Handler<Call>;

const inputOf = (id: number, body?: unknown) => ({ params: { id }, query: {}, body, file: undefined }) as never;

/** Whether two values are equal; times may be written differently. */
const isSame = (one: unknown, other: unknown) =>
  one === other || (typeof one === 'string' && typeof other === 'string' && Date.parse(one) === Date.parse(other));

/** Applies an action to one entity, unless it already has the target state. */
const doOneOf = (action: BulkActionName, find: FindHandler, fields: object | undefined): DoOne => {
  const {
    area,
    name,
    isRead,
    isDone,
    outcomeOf,
    body = BULK_FIELDS[action] ? { ...fields } : undefined,
  } = ACTIONS[action];
  const handler = find(area, name);
  return async (context, id) => {
    if ((body && isRead) || isDone) {
      const before: unknown = await find(area, 'read')(context, inputOf(id));
      const has = isDone ?? ((entity) => Object.entries(body!).every(([field, value]) => isSame(entity[field], value)));
      if (isRecord(before) && has(before, context.clock.now())) return { isChanged: false, problems: [] };
    }
    const result: unknown = await handler(context, inputOf(id, body && callOf(action).body!.parse(body)));
    if (outcomeOf) return outcomeOf(result);
    const missing = isRecord(result) && Array.isArray(result.missing) ? result.missing : [];
    return { isChanged: true, problems: missing.length > 0 ? [`Not restored: ${missing.join('; ')}.`] : [] };
  };
};

/** Unique ids in processing order. */
function orderedFor(action: BulkActionName, ids: readonly number[]): number[] {
  const each = [...new Set(ids)];
  return ACTIONS[action].isLatestFirst ? each.toSorted((a, b) => b - a) : each;
}

/** The handlers of this area. @param find finds the handlers of the actions */
export const bulkWith = (find: FindHandler): Handlers<'bulk'> => ({
  start: async (context, { body }) => {
    requireAction(context, body.action);
    const job = { action: body.action, ids: orderedFor(body.action, body.ids) };
    return readJob(context, await createJob(context, job, doOneOf(body.action, find, body.fields)));
  },

  effects: async (context, { body: { action, ids } }) => {
    requireAction(context, action);
    return effectsOf(context, action, ids);
  },

  read: async (context, { params }) => readJob(context, params.id),
});
