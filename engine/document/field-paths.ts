/** Values by their paths: `name`, and `config.title` one level deep. */
export type ByPath = Record<string, unknown>;

const SETTINGS = 'config.';

/** The fields of an edit by their paths. */
export function byPath(fields: object): ByPath {
  const { config, ...others } = fields as { config?: object };
  const settings = Object.entries(config ?? {}).map(([name, value]) => [SETTINGS + name, value]);
  return { ...others, ...Object.fromEntries(settings) };
}

/** Paths and values as the fields of an edit. */
export function fieldsByPath(values: ByPath): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const config: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    if (path.startsWith(SETTINGS)) config[path.slice(SETTINGS.length)] = value;
    else fields[path] = value;
  }
  return Object.keys(config).length > 0 ? { ...fields, config } : fields;
}

/** Whether a value is an object with named fields, and not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values of a document are the same, however deep; what is not set is the same as null. */
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
 * The values of the second object, by path, that differ from the first one's.
 * @param without names of fields that are not compared
 */
export function changedPaths(from: object, to: object, without = NO_NAMES): ByPath {
  const [was, is] = [from as Record<string, unknown>, to as Record<string, unknown>];
  const changed: ByPath = {};
  // Without lists of names and values: rooms have thousands of elements with dozens of fields each.
  for (const name in is)
    if (name !== 'config' && was[name] !== is[name] && !without.has(name) && !isSame(was[name], is[name]))
      changed[name] = is[name];
  if (was.config === is.config) return changed;
  const [had, has] = [(was.config ?? {}) as ByPath, (is.config ?? {}) as ByPath];
  for (const name in has)
    if (had[name] !== has[name] && !isSame(had[name], has[name])) changed[SETTINGS + name] = has[name];
  return changed;
}
