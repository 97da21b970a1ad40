import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';
import type { Area } from './rights.ts';

/** Entity types in the change log. */
export const CHANGED_ENTITIES = [
  'room',
  'element',
  'endpoint',
  'template',
  'access_token',
  'organization',
  'live_stream',
  'feed',
  'feed_item',
  'user',
  'api_key',
  'webhook',
] as const;
export type ChangedEntity = (typeof CHANGED_ENTITIES)[number];

/** The area whose `view_any` right is required to see changes of each type. */
export const AREA_OF_CHANGED: Record<ChangedEntity, Area> = {
  room: 'rooms',
  element: 'rooms',
  endpoint: 'endpoints',
  template: 'templates',
  access_token: 'access_tokens',
  organization: 'settings',
  live_stream: 'live_streams',
  feed: 'settings',
  feed_item: 'settings',
  user: 'settings',
  api_key: 'settings',
  webhook: 'settings',
};

export const CHANGE_ACTIONS = ['create', 'update', 'delete', 'restore', 'import'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

const fields = z.record(z.string(), z.unknown()).nullable();

/** Which state of a space to return: before or after a change. */
export const CHANGE_SIDES = ['before', 'after'] as const;
export type ChangeSide = (typeof CHANGE_SIDES)[number];

export const changeSchema = z.object({
  id: id.describe('Id of the entry.'),
  at: z.string().describe('When it happened, UTC.'),
  user: authorSchema.nullable().describe('Who did it; null for the server itself.'),
  action: z.enum(CHANGE_ACTIONS).describe('What was done.'),
  entity: z.enum(CHANGED_ENTITIES).describe('To what kind of thing.'),
  entity_id: z.int().describe('Id of that thing.'),
  room_id: z.int().nullable().describe('Space that it belongs to.'),
  name: z.string().describe('Its name at that time.'),
  before: fields.describe('The fields that changed, as they were; null where it was added. Secrets are left out.'),
  after: fields.describe('The same fields, as they are since; null where it was removed.'),
  is_restorable: z.boolean().describe('Whether what was removed can be restored.'),
  has_room: z.boolean().describe('Whether the space before and after it may still be known: `GET .../room`.'),
});
export type Change = z.output<typeof changeSchema>;
