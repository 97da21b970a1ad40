import type { ChangedEntity } from '../../../contract/entities.ts';

/** Display names of fields. */
const COMMON: Record<string, string> = {
  name: 'name',
  title: 'title',
  description: 'start pop-up',
  template_id: 'template',
  room_id: 'space',
  endpoint_id: 'structure',
  parent_endpoint_id: 'position in the tree',
  parent_element_id: 'group',
  order_rank: 'order',
  file_id: 'file',
  font_file_id: 'font',
  logo_file_id: 'logo',
  background_file_id: 'background',
  hdr_file_id: 'environment image',
  realtime_file_id: 'visitor model',
  slug: 'address',
  is_visible: 'visibility',
  is_timed: 'timed',
  is_protected: 'protection',
  show_countdown: 'countdown',
  start_time: 'start time',
  start_time_utc_offset: 'UTC offset of the start',
  time_zone: 'time zone',
  access_token_duration: 'duration of access tokens',
  shows: 'what visitors see',
  valid_from: 'valid from',
  valid_till: 'valid until',
  valid_duration: 'minutes from the first use',
  email: 'e-mail address',
  policies: 'rights',
  is_active: 'sign-in access',
  embed_domains: 'embed domains',
  meta_title: 'meta title',
  meta_description: 'meta description',
  texts: 'texts',
  model_type: 'kind',
  hidden: 'visibility',
  fov: 'field of view',
  near: 'near limit',
  far: 'far limit',
  rotate: 'rotation',
  rotate_left_button: 'rotation with the left button',
  manual_panning: 'manual panning',
  ambient_light: 'ambient light',
  pixelratio: 'pixel ratio',
  body: 'text',
  has_statistics: 'statistics',
  has_statistics_poses: 'position recording',
};

/** Display names that depend on the entity. */
const OF: Partial<Record<ChangedEntity, Record<string, string>>> = {
  endpoint: { name: 'title' },
  room: { name: 'name', description: 'start pop-up' },
  template: { description: 'description' },
};

/** Path segments that mean nothing to a reader. */
const SILENT = new Set(['config']);

const plainWords = (name: string) => name.replaceAll('_', ' ').replace(/ id$/, '');

/** Display name of a field path such as `config.camera.fov`. */
export function fieldName(entity: ChangedEntity, path: readonly string[]): string {
  const words = path
    .filter((name, index) => !(SILENT.has(name) && index < path.length - 1))
    .map((name) => OF[entity]?.[name] ?? COMMON[name] ?? plainWords(name));
  return words.length > 2 ? words.slice(-2).join(' ') : words.join(' ');
}

/** Names for true and false, if "yes" and "no" are unclear. */
const FLAGS: Record<string, [yes: string, no: string]> = {
  is_visible: ['Visible', 'Hidden'],
  hidden: ['Hidden', 'Visible'],
  is_protected: ['Protected', 'Public'],
};
/** Display names of enum values. */
const NAMED: Record<string, Record<string, string>> = {
  shows: { edited: 'as it is edited', published: 'as it was published' },
  model_type: { grid: 'Grid', model: '3D model', pano: '360° photo' },
};

/** Maximum length of a value shown in full. */
const MAX_LENGTH = 160;

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

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
  if (Array.isArray(value)) return value.map((each) => valueText('', each)).join(', ');
  return Object.entries(value)
    .map(([name, each]) => `${plainWords(name)}: ${valueText(name, each)}`)
    .join(', ');
}

/**
 * Formats a value on one line.
 * @param field last segment of its path
 */
export function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (typeof value === 'boolean') {
    const [yes, no] = FLAGS[field] ?? ['yes', 'no'];
    return value ? yes : no;
  }
  const text =
    typeof value === 'object'
      ? objectText(value)
      : (NAMED[field]?.[String(value)] ??
        (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))
          ? moment.format(new Date(String(value)))
          : withoutMarks(String(value))));
  const shown = field.endsWith('_id') && typeof value === 'number' ? `no. ${text}` : text;
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}
