import type { Change, ChangeAction, ChangedEntity } from '../../../contract/entities.ts';
import { locale } from '../../../ui/language/language.ts';
import { inSentence, say } from '../../../ui/language/say.ts';

/** Display names of fields, where they aren't the field's own words. */
const COMMON_NAMES: Record<string, string> = {
  description: 'start pop-up',
  room_id: 'space',
  endpoint_id: 'structure',
  parent_endpoint_id: 'position in the tree',
  parent_element_id: 'group',
  order_rank: 'order',
  font_file_id: 'font',
  logo_file_id: 'logo',
  video_file_id: '360° video',
  background_file_id: 'background',
  hdr_file_id: 'environment image',
  realtime_file_id: 'visitor model',
  slug: 'address',
  is_visible: 'visibility',
  is_timed: 'timed',
  is_protected: 'protection',
  show_countdown: 'countdown',
  start_time_utc_offset: 'UTC offset of the start',
  access_token_duration: 'duration of access tokens',
  shows: 'what visitors see',
  valid_till: 'valid until',
  valid_duration: 'minutes from the first use',
  email: 'e-mail address',
  policies: 'rights',
  is_active: 'sign-in access',
  model_type: 'kind',
  hidden: 'visibility',
  fov: 'field of view',
  near: 'near limit',
  far: 'far limit',
  rotate: 'rotation',
  rotate_left_button: 'rotation with the left button',
  pixelratio: 'pixel ratio',
  body: 'text',
  audit_days: 'retention of the audit log',
  shares_days: 'retention of messages',
  originals_megabytes: 'kept originals (MB)',
  lists_rooms: 'listing in search engines',
  has_statistics: 'statistics',
  has_statistics_poses: 'position recording',
  third_parties: 'third-party content',
  tag_manager_id: 'tag manager',
  statement: 'accessibility statement',
  realtime_file_url: 'visitor model',
  realtime_rotate: 'rotation of the visitor model',
  autorotate_speed: 'speed of the rotation',
  nadir_blur: 'blur at the nadir',
  show_start_popup: 'display of the start pop-up',
  show_timed_popup: 'display of the timed pop-up',
  timed_popup_offset: 'delay of the timed pop-up',
  frame_width: 'width of the frame',
  frame_depth: 'depth of the frame',
  mat_width: 'width of the mat',
  contact_shadow: 'contact shadow',
  video_stereo: 'stereo layout of the video',
  long_description: 'detailed description',
  hotspot_style: 'style of the hotspots',
  holder_name: 'name of the holder',
  holder_email: 'e-mail address of the holder',
  limits: 'limits',
  reference: 'broadcast',
  credit: 'credit',
  is_paused: 'pause',
  reply_to: 'reply address',
  embed_domains: 'sites that may embed',
  parent: 'parent folder',
  expires_at: 'expiry',
};

/** Display names that depend on the entity. */
const OWN_NAMES: Partial<Record<ChangedEntity, Record<string, string>>> = {
  endpoint: { name: 'title' },
  template: { description: 'description' },
};

/** Path segments that mean nothing to a reader. */
const SILENT = new Set(['config']);

/** Display name of a field of any entity. */
export const fieldWords = (name: string): string => COMMON_NAMES[name] ?? plainWords(name);

/** The words of a field: its label in forms, if it has one. */
function plainWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/ id$/, '');
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  const said = say(label);
  return said === label ? words : inSentence(said);
}

/** Display name of a field path such as `config.camera.fov`. */
function fieldName(entity: ChangedEntity, path: readonly string[]): string {
  const words = path
    .filter((name, index) => !(SILENT.has(name) && index < path.length - 1))
    .map((name) => OWN_NAMES[entity]?.[name] ?? COMMON_NAMES[name] ?? plainWords(name));
  return words.length > 2 ? words.slice(-2).join(' ') : words.join(' ');
}

/** Names for true and false, if "yes" and "no" are unclear. */
const FLAG_NAMES: Record<string, [yes: string, no: string]> = {
  is_visible: ['Visible', 'Hidden'],
  hidden: ['Hidden', 'Visible'],
  is_protected: ['Protected', 'Public'],
};
/** Display names of enum values. */
const VALUE_NAMES: Record<string, Record<string, string>> = {
  shows: { edited: 'as it is edited', published: 'as it was published' },
  model_type: { grid: 'Grid', model: '3D model', pano: '360° photo' },
};

/** Maximum length of a value shown in full. */
const MAX_LENGTH = 160;

const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Strips HTML tags. */
const withoutMarks = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

function objectText(value: object): string {
  // A translation; the hash of its source text says nothing to people.
  if ('text' in value && 'source' in value) return valueText('text', value.text);
  if (Array.isArray(value)) return value.map((each) => valueText('', each)).join(', ');
  return Object.entries(value)
    .map(([name, each]) => `${plainWords(name)}: ${valueText(name, each)}`)
    .join(', ');
}

/**
 * Formats a value on one line.
 * @param field last segment of its path
 */
function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return say('none');
  if (Array.isArray(value) && value.length === 0) return say('none');
  if (typeof value === 'boolean') {
    const [yes, no] = FLAG_NAMES[field] ?? [say('yes'), say('no')];
    return value ? yes : no;
  }
  const text =
    typeof value === 'object'
      ? objectText(value)
      : (VALUE_NAMES[field]?.[String(value)] ??
        (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))
          ? moment.format(new Date(String(value)))
          : withoutMarks(String(value))));
  const shown = field.endsWith('_id') && typeof value === 'number' ? `no. ${text}` : text;
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Names of entity types. */
export const ENTITY_NAMES: Record<ChangedEntity, string> = {
  room: 'Space',
  folder: 'Folder',
  element: 'Element',
  endpoint: 'Structure',
  template: 'Template',
  block: 'Block',
  access_token: 'Access token',
  mailing: 'Mailing',
  media: 'File',
  media_folder: 'Folder of files',
  organization: 'Settings',
  live_stream: 'Live stream',
  feed: 'Feed',
  feed_item: 'Message',
  user: 'User',
  api_key: 'API key',
  webhook: 'Webhook',
};

/** Who does something to a thing, as a sentence. */
type Sentence = (who: string, thing: string) => string;

const ACTIONS: Record<Exclude<ChangeAction, 'update'>, Sentence> = {
  create: (who, thing) => `${who} added ${thing}`,
  delete: (who, thing) => `${who} removed ${thing}`,
  restore: (who, thing) => `${who} restored ${thing}`,
  import: (who, thing) => `${who} imported into ${thing}`,
};

/** Sentences about a space by the field that a change records, beside changed fields. */
const RECORDED: Record<string, Sentence> = {
  published: (who, thing) => `${who} published ${thing}`,
  scheduled: (who, thing) => `${who} scheduled ${thing} to be published`,
  canceled: (who, thing) => `${who} canceled the publication of ${thing}`,
  unpublished: (who, thing) => `${who} unpublished ${thing}`,
  preview_link: (who, thing) => `${who} shared ${thing} by a preview link`,
  proposal: (who, thing) => `${who} proposed changes to ${thing}`,
  merged: (who, thing) => `${who} merged a proposal into ${thing}`,
  discarded: (who, thing) => `${who} discarded a proposal for ${thing}`,
};

/** Maximum length of a value quoted in a sentence; longer ones appear in the details. */
const MAX_QUOTED_LENGTH = 60;
/** Maximum fields named in a sentence. */
const MAX_NAMED = 3;

/** Entity type and name, for the middle of a sentence. */
function thingOf({ entity, name }: Change): string {
  if (entity === 'organization') return 'the settings';
  const kind = ENTITY_NAMES[entity];
  return `${kind.startsWith('API') ? kind : inSentence(kind)} “${name}”`;
}

/** A changed field with its values before and after. */
interface FieldChange {
  field: string;
  before: string;
  after: string;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Composite fields shown as one. */
const WHOLE = new Set(['policies', 'translations']);

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

export const listOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Describes an update. */
function updateSentence(who: string, change: Change): string {
  const fields = fieldChanges(change);
  const thing = thingOf(change);
  const names = [...new Set(fields.map(({ field }) => field))];
  const [only] = fields;
  if (!only) return `${who} changed ${thing}`;
  if (fields.length === 1) {
    const { field, before, after } = only;
    const isShort = before.length <= MAX_QUOTED_LENGTH && after.length <= MAX_QUOTED_LENGTH;
    if (!isShort || before === after) return `${who} changed the ${field} of ${thing}`;
    if (!change.before || !(Object.keys(change.before).length > 0))
      return `${who} set the ${field} of ${thing} to ${after}`;
    return `${who} changed the ${field} of ${thing} from ${before} to ${after}`;
  }
  const rest = names.length - MAX_NAMED + 1;
  const named =
    names.length <= MAX_NAMED ? listOf(names) : listOf([...names.slice(0, MAX_NAMED - 1), `${rest} more fields`]);
  return `${who} changed the ${named} of ${thing}`;
}

/** Describes a change: who did what to which entry. */
export function changeSentence(change: Change): string {
  const { entity, action, after, user } = change;
  const who = user?.name ?? 'The server';
  const known = entity === 'room' && after ? Object.keys(RECORDED).find((field) => field in after) : undefined;
  if (known !== undefined) return RECORDED[known]!(who, thingOf(change));
  return action === 'update' ? updateSentence(who, change) : ACTIONS[action](who, thingOf(change));
}
