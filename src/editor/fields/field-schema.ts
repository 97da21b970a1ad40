import { z } from 'zod';
import { type ElementType, flatElementSchema } from '../../../engine/document/element.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { say } from '../../ui/language/say.ts';
import type { NumberUnit } from './number-text.ts';

/** Schema of a form field. */
export interface FieldSchema {
  schema: z.ZodType;
  /** Description from the schema: the field's help text. */
  description: string;
  isNullable: boolean;
}

function bare(schema: z.ZodType): { schema: z.ZodType; isNullable: boolean } {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return bare(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return { ...bare(schema.unwrap() as z.ZodType), isNullable: true };
  // For values with aliases, forms show the stored name.
  if (schema instanceof z.ZodPipe) return bare(schema.out as z.ZodType);
  return { schema, isNullable: false };
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const whole = bare(schema).schema;
  if (whole instanceof z.ZodDiscriminatedUnion)
    return Object.assign({}, ...whole.options.map((option) => shapeOf(option as z.ZodType)));
  const inner = whole instanceof z.ZodArray ? whole.element : whole;
  if (!(inner instanceof z.ZodObject)) throw new Error('Only objects have fields.');
  return inner.shape as Record<string, z.ZodType>;
}

const byType = new Map<ElementType, Record<string, z.ZodType>>(
  flatElementSchema.options.map((option) => [option.shape.element.value, shapeOf(option)]),
);

/** A help text of an angle that is shown in degrees. */
export const withoutRadians = (description: string): string => description.replace(/,? in radians\b/, '');

/**
 * The schema of a field.
 * @param of element type, or the room
 * @param path such as `name`, `config.fog.near`, or `config.text_tracks.type` for items of a list
 */
export function fieldSchema(of: ElementType | 'room', path: string, unit?: NumberUnit): FieldSchema {
  let shape = of === 'room' ? (roomFieldsSchema.shape as Record<string, z.ZodType>) : byType.get(of)!;
  const names = path.split('.');
  for (const name of names.slice(0, -1)) shape = shapeOf(shape[name]!);
  const field = shape[names.at(-1)!];
  if (!field) throw new Error(`There is no field ${path} in ${of}.`);
  // Null in the document is an empty field in a form.
  const description = (field.description ?? '').replace(/\bnull\b/g, 'empty');
  return { ...bare(field), description: say(unit === 'degrees' ? withoutRadians(description) : description) };
}

/** Stop words, and units, which are part of labels. */
const EMPTY = new Set(
  `a an the of in on at to from for by with and or it its is are be that this these those as whether how when kind one playback
  unit units pixel pixels second seconds degree degrees px ms`.split(/\s+/),
);

/** Length of the prefix that identifies a word regardless of its ending. */
const STEM = 4;

/** Minimum number of words that help text has to add to its label. */
const FEWEST = 2;

const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [])
    .filter((word) => !EMPTY.has(word))
    .map((word) => word.slice(0, STEM));

/** Help text of a field: the schema's description, if it adds something to the label. */
export function helpOf(label: string, description: string): string | undefined {
  const known = new Set(stemsOf(label));
  const added = stemsOf(description).filter((stem) => !known.has(stem));
  return added.length >= FEWEST ? description : undefined;
}
