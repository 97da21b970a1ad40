import { compareStructural } from 'mobx';

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
export function fieldsOf(values: ByPath): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const config: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    if (path.startsWith(SETTINGS)) config[path.slice(SETTINGS.length)] = value;
    else fields[path] = value;
  }
  return Object.keys(config).length > 0 ? { ...fields, config } : fields;
}

/** Whether two values are the same, however deep. */
export const isSame = (one: unknown, other: unknown): boolean => compareStructural(one ?? null, other ?? null);

/** The values of the second object, by path, that differ from the first one's. */
export function differences(from: object, to: object): ByPath {
  const [was, is] = [byPath(from), byPath(to)];
  return Object.fromEntries(Object.entries(is).filter(([path, value]) => !isSame(was[path], value)));
}
