import type { Change, ChangeAction, ChangedEntity } from '../../../contract/entities.ts';

/** What the kinds of thing are called. */
export const ENTITY_NAMES: Record<ChangedEntity, string> = {
  room: 'Space',
  element: 'Element',
  endpoint: 'Structure',
  template: 'Template',
  access_token: 'Access token',
  organization: 'Settings',
  live_stream: 'Live stream',
  feed: 'Feed',
  feed_item: 'Message',
  user: 'User',
  api_key: 'API key',
  webhook: 'Webhook',
};

/** What was done, as one reads it. */
const ACTION_NAMES: Record<ChangeAction, string> = {
  create: 'added',
  update: 'changed',
  delete: 'removed',
  restore: 'restored',
  import: 'imported into',
};

/** What an entry about publishing says of its space, by what only such entries name. */
const PUBLISHING: Record<string, string> = {
  published: 'published',
  scheduled: 'scheduled to be published',
  canceled: 'no longer scheduled to be published',
  unpublished: 'unpublished',
  preview_link: 'shared by a preview link',
};

/** An entry as one reads it: what was done, to what. */
export function changeSentence({ entity, name, action, after }: Change): string {
  const known = entity === 'room' && after ? Object.keys(PUBLISHING).find((field) => field in after) : undefined;
  return `${ENTITY_NAMES[entity]} “${name}” ${known === undefined ? ACTION_NAMES[action] : PUBLISHING[known]}`;
}

/** A value as a person reads it, on one line. */
function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** One field of a change, before and after. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** The fields that a change names. */
export function fieldChanges({ before, after }: Change): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((field) => ({
    field,
    before: before ? valueText(before[field]) : '',
    after: after ? valueText(after[field]) : '',
  }));
}
