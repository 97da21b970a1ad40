/** Values by path: `name`, and `config.title` one level deep. */
export type ByPath = Record<string, unknown>;

const SETTINGS = 'config.';

/** Flattens an edit's fields to paths. */
export function byPath(fields: object): ByPath {
  const { config, ...others } = fields as { config?: object };
  const settings = Object.entries(config ?? {}).map(([name, value]) => [SETTINGS + name, value]);
  return { ...others, ...Object.fromEntries(settings) };
}

/** Converts paths and values back to an edit's fields. */
export function fieldsByPath(values: ByPath): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const config: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    if (path.startsWith(SETTINGS)) config[path.slice(SETTINGS.length)] = value;
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
  const [had, has] = [(was.config ?? {}) as ByPath, (is.config ?? {}) as ByPath];
  for (const name in has)
    if (had[name] !== has[name] && !isSame(had[name], has[name])) changed[SETTINGS + name] = has[name];
  return changed;
}
