import { z } from 'zod';
import { isRecord } from '../../../engine/document/field-paths.ts';
import { id } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';
import type { Area } from './rights.ts';

/** Entity types in the change log. */
export const CHANGED_ENTITIES = [
  'room',
  'folder',
  'element',
  'endpoint',
  'template',
  'block',
  'access_token',
  'mailing',
  'media',
  'media_folder',
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
  folder: 'rooms',
  element: 'rooms',
  endpoint: 'endpoints',
  template: 'templates',
  block: 'rooms',
  access_token: 'access_tokens',
  mailing: 'access_tokens',
  media: 'media',
  media_folder: 'media',
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
  id: id.describe('Entry ID.'),
  at: z.string().describe('Time of the change in UTC.'),
  user: authorSchema.nullable().describe('Acting user; null for the server.'),
  action: z.enum(CHANGE_ACTIONS).describe('Action performed.'),
  entity: z.enum(CHANGED_ENTITIES).describe('Type of the changed entity.'),
  entity_id: z.int().describe('ID of the changed entity.'),
  room_id: z.int().nullable().describe('Space that contains the entity.'),
  name: z.string().describe('Name of the entity at the time of the change.'),
  before: fields.describe('Changed fields before the change, without secrets; null if the entity was added.'),
  after: fields.describe('Changed fields after the change; null if the entity was removed.'),
  is_restorable: z.boolean().describe('Whether the removed entity can be restored.'),
  has_room: z
    .boolean()
    .describe('Whether the space before and after the change is available with `GET .../room`, if still stored.'),
});
export type Change = z.output<typeof changeSchema>;

/** Whether a change set only translations of a structure, file or template, which can be undone. */
export function isTranslationChange({ action, entity, after }: Pick<Change, 'action' | 'entity' | 'after'>): boolean {
  const fields = entity === 'template' ? after?.config : after;
  const isOfTexts = entity === 'endpoint' || entity === 'media' || entity === 'template';
  return isOfTexts && action === 'update' && isRecord(fields) && Object.keys(fields).join() === 'translations';
}
