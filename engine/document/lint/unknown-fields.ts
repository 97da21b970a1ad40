import { z } from 'zod';
import { flatElementSchema } from '../element.ts';
import { roomSchema } from '../room.ts';
import { nearest } from './nearest.ts';

/** An unknown field, and the known field that was probably meant. */
export interface UnknownField {
  path: string;
  name: string;
  meant: string | undefined;
}

/** Fields that the server adds to its responses: not part of the document, but not errors either. */
const RESPONSE_FIELDS = [
  'timestamp_current',
  'timestamp_end_of_day',
  'timestamp_start_of_day',
  'policies',
  'branch_of',
];
const NO_SCHEMA = z.unknown();

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Unwraps defaults and nullables. */
function unwrap(schema: z.ZodType): z.ZodType {
  let bare = schema;
  while (
    bare instanceof z.ZodDefault ||
    bare instanceof z.ZodPrefault ||
    bare instanceof z.ZodNullable ||
    bare instanceof z.ZodOptional
  )
    bare = bare.unwrap() as z.ZodType;
  return bare;
}

/** The union variant selected by a value's discriminator. */
function variantOf(union: z.ZodDiscriminatedUnion, value: Record<string, unknown>): z.ZodType {
  const { discriminator } = union.def;
  const fits = (option: z.ZodType) =>
    option instanceof z.ZodObject && option.shape[discriminator].safeParse(value[discriminator]).success;
  return (union.options as z.ZodType[]).find(fits) ?? NO_SCHEMA;
}

function search(schema: z.ZodType, value: unknown, path: string, found: UnknownField[]): void {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) search(bare.element as z.ZodType, item, `${path}[${index}]`, found);
  } else if (bare instanceof z.ZodDiscriminatedUnion && isRecord(value)) {
    search(variantOf(bare, value), value, path, found);
  } else if (bare instanceof z.ZodObject && isRecord(value)) {
    for (const [name, child] of Object.entries(value)) {
      const at = path ? `${path}.${name.slice(0, 64)}` : name.slice(0, 64);
      if (Object.hasOwn(bare.shape, name)) search(bare.shape[name], child, at, found);
      else found.push({ path: at, name, meant: nearest(name, Object.keys(bare.shape)) });
    }
  }
}

const without = (value: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Unknown fields of a room, elements excluded. */
export function unknownRoomFields(room: Record<string, unknown>): UnknownField[] {
  const found: UnknownField[] = [];
  const document = without(room, [...RESPONSE_FIELDS, 'elements']);
  if (isRecord(document.template)) document.template = without(document.template, RESPONSE_FIELDS);
  search(roomSchema, document, '', found);
  return found;
}

const byType = new Map<string, z.ZodObject>(
  flatElementSchema.options.map((schema) => [schema.shape.element.value, schema]),
);

/** Unknown fields of one element, children excluded; none if its type is unknown. */
export function unknownElementFields(element: Record<string, unknown>, path: string): UnknownField[] {
  const found: UnknownField[] = [];
  const schema = byType.get(String(element.element));
  if (schema) search(schema, without(element, ['children']), path, found);
  return found;
}
