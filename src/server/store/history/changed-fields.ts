/** Fields of a thing by name. */
export type Fields = Record<string, unknown>;

/** Columns that say nothing about the thing itself, and those that nobody may read. */
const LEFT_OUT = new Set([
  'id',
  'organization_id',
  'created_at',
  'updated_at',
  'revision',
  'touches',
  'version',
  'last_seen_at',
  'last_used_at',
  'token',
  'normal',
  'holder_name',
  'holder_email',
  'token_hash',
  'key_hash',
  'hint',
  'password_hash',
  'preferences',
  'secret',
  'connect_hash',
  'realtime_api_key',
]);
/** Columns that hold JSON as text. */
const JSON_COLUMNS = new Set(['config', 'moderation', 'angle', 'policies', 'embed_domains', 'texts', 'body']);
/** Columns that hold 0 or 1. */
const BOOLEAN_FIELDS = new Set([
  'hidden',
  'is_active',
  'is_visible',
  'is_timed',
  'show_countdown',
  'is_protected',
  'has_statistics',
  'has_statistics_poses',
]);

function readColumn(name: string, value: unknown): unknown {
  if (JSON_COLUMNS.has(name) && typeof value === 'string') return JSON.parse(value);
  return BOOLEAN_FIELDS.has(name) && typeof value === 'number' ? value === 1 : value;
}

/** A row as the change log shows it: JSON read, flags as true and false, without what nobody may read. */
export function fieldsOfRow(row: object): Fields {
  const entries = Object.entries(row).filter(([name]) => !LEFT_OUT.has(name));
  const { body, ...fields } = Object.fromEntries(entries.map(([name, value]) => [name, readColumn(name, value)]));
  // An element keeps most of its fields in one column.
  return body ? { ...fields, ...(body as Fields) } : fields;
}

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields in which two objects differ, as they are in each; undefined when there are none. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | undefined {
  const old: Fields = {};
  const current: Fields = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (isPlain(was) && isPlain(is)) {
      const inner = changedFields(was, is);
      if (inner) [old[name], current[name]] = [inner.before, inner.after];
    } else if (JSON.stringify(was) !== JSON.stringify(is)) [old[name], current[name]] = [was, is];
  }
  return Object.keys(current).length > 0 ? { before: old, after: current } : undefined;
}
