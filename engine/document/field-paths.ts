/** Values by path: `name`, `config.title` one level deep, and `config.translations.nl:name` two levels deep. */
export type ByPath = Record<string, unknown>;

const SETTINGS = 'config.';
/** The setting that is merged one level deeper, so that edits of different translations don't collide. */
export const TRANSLATIONS = 'translations';
const DEEPER = `${SETTINGS}${TRANSLATIONS}.`;

/** Settings that documents without a value leave out, so that they stay as they were before the settings existed. */
const LEFT_OUT = ['language', 'languages', TRANSLATIONS];

/** Settings with edits applied. A null removes a translation, or a setting that documents leave out. */
export function mergeSettings<T extends object>(before: T, edits: object | undefined): T {
  const merged: ByPath = { ...(before as ByPath), ...edits };
  const translations = (edits as ByPath | undefined)?.[TRANSLATIONS];
  if (isRecord(translations)) {
    const all = { ...((before as ByPath)[TRANSLATIONS] as object | undefined), ...translations };
    const kept = Object.entries(all).filter(([, value]) => value !== null);
    merged[TRANSLATIONS] = kept.length > 0 ? Object.fromEntries(kept) : null;
  }
  for (const name of LEFT_OUT) if (merged[name] === null) delete merged[name];
  return merged as T;
}

/** The given settings of a parsed object, with null for those that it leaves out. */
export function givenSettings(parsed: object, given: object): ByPath {
  const names = Object.keys(given).filter((name) => Object.hasOwn(parsed, name) || LEFT_OUT.includes(name));
  const settings = currentSettings(parsed, given);
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** The values of a record at the keys of another one; null for missing ones, because JSON would omit them. */
export const valuesAt = (from: object, keys: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(keys).map((key) => [key, (from as Record<string, unknown>)[key] ?? null]));

/** The current values of settings that an edit sets, in its form. */
export function currentSettings(before: object, edits: object): Record<string, unknown> {
  const values = valuesAt(before, edits);
  const translations = (edits as ByPath)[TRANSLATIONS];
  if (isRecord(translations)) values[TRANSLATIONS] = valuesAt((before as ByPath)[TRANSLATIONS] ?? {}, translations);
  return values;
}

/** Flattens an edit's fields to paths. */
export function byPath(fields: object): ByPath {
  const { config, ...others } = fields as { config?: object };
  const settings = Object.entries(config ?? {}).flatMap(([name, value]) =>
    name === TRANSLATIONS && isRecord(value)
      ? Object.entries(value).map(([key, each]) => [DEEPER + key, each])
      : [[SETTINGS + name, value]],
  );
  return { ...others, ...Object.fromEntries(settings) };
}

/** Converts paths and values back to an edit's fields. */
export function fieldsByPath(values: ByPath): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const config: Record<string, unknown> = {};
  const translations: ByPath = {};
  for (const [path, value] of Object.entries(values)) {
    if (path.startsWith(DEEPER)) {
      translations[path.slice(DEEPER.length)] = value;
      config[TRANSLATIONS] = translations;
    } else if (path.startsWith(SETTINGS)) config[path.slice(SETTINGS.length)] = value;
    else fields[path] = value;
  }
  return Object.keys(config).length > 0 ? { ...fields, config } : fields;
}

/** Whether a value is an object but not an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep equality of document values; undefined equals null. */
export function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one ?? null, other ?? null];
  if (Object.is(a, b) || a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => isSame(value, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(a[name], b[name]));
}

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Values of the second object that differ from the first, by path.
 * @param without field names to skip
 */
export function changedPaths(from: object, to: object, without = NO_NAMES): ByPath {
  const [was, is] = [from as Record<string, unknown>, to as Record<string, unknown>];
  const changed: ByPath = {};
  // Avoids arrays of keys and values: rooms have thousands of elements with dozens of fields each.
  for (const name in is)
    if (name !== 'config' && was[name] !== is[name] && !without.has(name) && !isSame(was[name], is[name]))
      changed[name] = is[name];
  if (was.config === is.config) return changed;
  addChanged(changed, SETTINGS, was.config ?? {}, is.config ?? (was.config as object) ?? {});
  return changed;
}

/** Adds the settings that differ, by path; null for those that only the first object has. */
function addChanged(changed: ByPath, base: string, had: object, has: object): void {
  const [before, after] = [had as ByPath, has as ByPath];
  for (const name in after)
    if (name !== TRANSLATIONS && before[name] !== after[name] && !isSame(before[name], after[name]))
      changed[base + name] = after[name];
  for (const name in before)
    if (name !== TRANSLATIONS && !(name in after) && (before[name] ?? null) !== null) changed[base + name] = null;
  const [old, current] = [before[TRANSLATIONS], after[TRANSLATIONS]];
  if (old !== current) addChanged(changed, DEEPER, (old as object | null) ?? {}, (current as object | null) ?? {});
}
