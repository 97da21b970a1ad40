import type { Change, ChangeAction, ChangedEntity } from '../../../contract/entities.ts';
import { fieldName, valueText } from './field-words.ts';

/** Names of entity types. */
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

/** Verbs for actions. */
const ACTION_NAMES: Record<ChangeAction, string> = {
  create: 'added',
  update: 'changed',
  delete: 'removed',
  restore: 'restored',
  import: 'imported into',
};

/** Sentences for publication changes, by the field they record. */
const PUBLISHING: Record<string, (thing: string) => string> = {
  published: (thing) => `published ${thing}`,
  scheduled: (thing) => `scheduled ${thing} to be published`,
  canceled: (thing) => `canceled the publication of ${thing}`,
  unpublished: (thing) => `unpublished ${thing}`,
  preview_link: (thing) => `shared ${thing} by a preview link`,
};

/** Maximum length of a value quoted in a sentence; longer ones appear in the details. */
const MAX_QUOTED_LENGTH = 60;
/** Maximum fields named in a sentence. */
const MAX_NAMED = 3;

/** Entity type and name, for the middle of a sentence. */
function thingOf({ entity, name }: Change): string {
  if (entity === 'organization') return 'the settings';
  const kind = ENTITY_NAMES[entity];
  return `${kind.startsWith('API') ? kind : kind.toLowerCase()} “${name}”`;
}

/** A changed field with its values before and after. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Composite fields shown as one. */
const WHOLE = new Set(['policies']);

/** Changed leaf values by path; objects are compared recursively if both sides are objects. */
function pairsIn(before: unknown, after: unknown, path: readonly string[]): [readonly string[], unknown, unknown][] {
  const isTaken = path.length === 0 || !WHOLE.has(path.at(-1)!);
  if (!isTaken || !(isPlain(before) || isPlain(after))) return [[path, before, after]];
  if (path.length > 0 && !(isPlain(before) && isPlain(after))) return [[path, before, after]];
  const [was, is] = [isPlain(before) ? before : {}, isPlain(after) ? after : {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    pairsIn(was[name], is[name], [...path, name]),
  );
}

/** Changed fields with their display names. */
export function fieldChanges({ entity, before, after }: Change): FieldChange[] {
  return pairsIn(before, after, []).map(([path, was, is]) => ({
    field: fieldName(entity, path),
    before: before ? valueText(path.at(-1) ?? '', was) : '',
    after: after ? valueText(path.at(-1) ?? '', is) : '',
  }));
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Describes an update, to follow a name. */
function updateWords(change: Change): string {
  const fields = fieldChanges(change);
  const thing = thingOf(change);
  const names = [...new Set(fields.map(({ field }) => field))];
  const [only] = fields;
  if (!only) return `changed ${thing}`;
  if (fields.length === 1) {
    const { field, before, after } = only;
    const isShort = before.length <= MAX_QUOTED_LENGTH && after.length <= MAX_QUOTED_LENGTH;
    if (!isShort || before === after) return `changed the ${field} of ${thing}`;
    if (!change.before || !(Object.keys(change.before).length > 0)) return `set the ${field} of ${thing} to ${after}`;
    return `changed the ${field} of ${thing} from ${before} to ${after}`;
  }
  if (names.length <= MAX_NAMED) return `changed the ${listOf(names)} of ${thing}`;
  const rest = names.length - MAX_NAMED + 1;
  return `changed the ${listOf([...names.slice(0, MAX_NAMED - 1), `${rest} more fields`])} of ${thing}`;
}

/** Describes a change: who did what to which entry. */
export function changeSentence(change: Change): string {
  const { entity, action, after, user } = change;
  const who = user?.name ?? 'The server';
  const known = entity === 'room' && after ? Object.keys(PUBLISHING).find((field) => field in after) : undefined;
  if (known !== undefined) return `${who} ${PUBLISHING[known]!(thingOf(change))}`;
  if (action === 'update') return `${who} ${updateWords(change)}`;
  return `${who} ${ACTION_NAMES[action]} ${thingOf(change)}`;
}
