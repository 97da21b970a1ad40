import { z } from 'zod';
import type { ElementFields, RoomCommand } from '../../../engine/document/commands.ts';
import type { Element, ElementType } from '../../../engine/document/element.ts';
import { byPath, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { type FieldSchema, fieldSchema } from '../fields/field-schema.ts';
import type { DocumentStore } from '../session/document-store.ts';

/** Placeholder for differing values. */
export const MIXED = Symbol('mixed');

const SIZE_PATHS = ['width', 'height', 'depth', 'ignore_light'];
/** Settings that are meaningless without others, or derived from them. */
const LEFT_OUT = /^config\.(?:file_url|mime|feed_id|live_stream_id|realtime.*|id|src|url|direct_url|node)$/;

const isScalar = ({ schema }: FieldSchema): boolean =>
  schema instanceof z.ZodBoolean ||
  schema instanceof z.ZodNumber ||
  schema instanceof z.ZodEnum ||
  schema instanceof z.ZodString;

/** Identity of a field's schema: fields with the same name may differ between types. */
const kindOf = (type: ElementType, path: string): string => {
  const { schema, isNullable } = fieldSchema(type, path);
  return JSON.stringify([schema.def.type, isNullable, schema instanceof z.ZodEnum ? schema.options : null]);
};

/** Paths of fields that all elements have and that can be set together, without transforms. */
export function sharedPaths(elements: readonly Element[]): string[] {
  const [first] = elements;
  if (!first) return [];
  const types = [...new Set(elements.map(({ element }) => element))];
  const settings = Object.keys(byPath(first)).filter((path) => path.startsWith('config.') && !LEFT_OUT.test(path));
  return [...SIZE_PATHS, ...settings].filter((path) => {
    try {
      const kinds = new Set(types.map((type) => kindOf(type, path)));
      return kinds.size === 1 && isScalar(fieldSchema(first.element, path));
    } catch {
      // At least one type lacks the field.
      return false;
    }
  });
}

const valueAt = (element: Element, path: string): unknown =>
  path.startsWith('config.')
    ? (element.config as Record<string, unknown>)[path.slice('config.'.length)]
    : Object.entries(element).find(([name]) => name === path)?.[1];

/** The common value at a path; MIXED if values differ. */
export function sharedValue(elements: readonly Element[], path: string): unknown {
  const [first, ...others] = elements;
  const value = first && valueAt(first, path);
  return others.every((element) => isSame(value, valueAt(element, path))) ? value : MIXED;
}

/**
 * Sets a field of all elements as one history step.
 * @returns error text; empty if the value was set
 */
export function setShared(
  document: DocumentStore,
  elements: readonly Element[],
  path: string,
  value: unknown,
  label: string,
): string {
  const [first] = elements;
  if (!first) return '';
  const { schema, isNullable } = fieldSchema(first.element, path);
  const read = (isNullable ? schema.nullable() : schema).safeParse(value);
  if (!read.success) return sayMessage(read.error.issues[0]!.message);
  const commands = elements
    .filter((element) => !isSame(valueAt(element, path), read.data))
    .map((element): RoomCommand => {
      const fields = fieldsByPath({ [path]: read.data }) as ElementFields;
      return { type: 'element.update', id: element.id, fields };
    });
  document.run(commands, { label: `${label} of ${elements.length} elements` });
  return '';
}
