import { descriptors, type Element, type ElementType, flatElementSchema } from '../../../../engine/document/element.ts';
import { windowOf } from '../../../../engine/document/window.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { checkFiles } from '../media/service.ts';
import { cleanElement } from './element-html.ts';

/** Names of the settings that each element type has. */
const SETTINGS = new Map<ElementType, ReadonlySet<string>>(
  flatElementSchema.options.map(({ shape }) => [
    shape.element.value,
    new Set(Object.keys((shape.config.unwrap() as { shape: object }).shape)),
  ]),
);

/**
 * Refuses settings that an element type does not have.
 * @throws ApiError unknown_field, naming them as `config.name`
 */
export function refuseUnknownSettings(type: ElementType, config: object | undefined): void {
  const known = SETTINGS.get(type)!;
  const unknown = Object.keys(config ?? {}).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new ApiError(
    'unknown_field',
    Object.fromEntries(unknown.map((name) => [`config.${name}`, [`An element of type ${type} has no such setting.`]])),
  );
}

/**
 * Reads an element: defaults filled in, HTML made safe, what follows from times of day brought in line.
 * @param input data of an element, its type included
 * @param html makes HTML safe
 * @throws ZodError naming what is wrong by its path
 */
export function readElement(input: unknown, html: HtmlCleaner): Element {
  const element = cleanElement(flatElementSchema.parse(input), html);
  element.visible_between = windowOf(element);
  const isTimed = element.start_time !== null || element.end_time !== null;
  if (!isTimed) element.time_zone = null;
  if (!isTimed || element.time_zone !== null) element.utc_offset = null;
  // Making HTML safe can make it longer, so its bounds are checked on what is stored.
  return flatElementSchema.parse(element);
}

/**
 * Holds an element's file against the media library and against what its type can show.
 * @throws ApiError invalid, naming `file_id`
 */
export async function checkElementFile(
  db: Database,
  organizationId: number,
  { element, file_id }: Pick<Element, 'element' | 'file_id'>,
): Promise<void> {
  await checkFiles(db, organizationId, [{ field: 'file_id', id: file_id, kinds: descriptors[element].files ?? [] }]);
}
