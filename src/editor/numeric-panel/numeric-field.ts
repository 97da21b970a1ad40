import { z } from 'zod';
import type { ElementType } from '../../../engine/document/element.ts';
import { labelAt } from '../fields/field-label.ts';
import { fieldSchema } from '../fields/field-schema.ts';
import { limitProblem, type NumberUnit, readIn, writtenIn } from '../fields/number-text.ts';

/** Declaration of a numeric panel's field. */
export interface NumericFieldSpec {
  /** Path of a number, or of a point with the axes x, y and z. */
  path: string;
  /** Label, if the default does not fit. */
  label?: string;
  /** Step of the arrow keys. */
  step?: number;
  /** Display unit, for numbers that are radians in the document. */
  unit?: NumberUnit;
}

/** Minimum and maximum in display units. */
export interface Bounds {
  min: number;
  max: number;
}

/** A field of a numeric panel, with data from its schema. */
export interface NumericField extends Required<Omit<NumericFieldSpec, 'unit'>> {
  unit: NumberUnit | undefined;
  description: string;
  /** Names of its numbers: a single empty one, or the axes of a point. */
  axes: readonly string[];
  bounds: Bounds;
}

/** Draft access of a field. */
export interface NumericDraft {
  value: object;
  set(values: Record<string, unknown>): void;
  errors: Readonly<Record<string, string>>;
}

const boundsOf = ({ minValue, maxValue }: z.ZodNumber, unit?: NumberUnit): Bounds => ({
  min: readIn(minValue ?? Number.NEGATIVE_INFINITY, unit),
  max: readIn(maxValue ?? Number.POSITIVE_INFINITY, unit),
});

/** Resolves a field by its schema. @throws Error if it is neither a number nor a point */
export function numericField(of: ElementType | 'room', spec: NumericFieldSpec): NumericField {
  const { path, label = labelAt(path), step, unit } = spec;
  const { schema, description } = fieldSchema(of, path, unit);
  const isPoint = schema instanceof z.ZodObject;
  const number = isPoint ? fieldSchema(of, `${path}.x`).schema : schema;
  if (!(number instanceof z.ZodNumber)) throw new Error(`${path} is no number.`);
  const bounds = boundsOf(number, unit);
  return {
    path,
    label,
    description,
    bounds,
    unit,
    axes: isPoint ? Object.keys(schema.shape) : [''],
    step: step ?? (isPoint ? 10 : bounds.max <= 4 ? 0.05 : 1),
  };
}

/** The value at a path; undefined if the setting that contains it was just removed. */
const within = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);

/** A copy with the value at a path replaced. */
function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const record = value as Record<string, unknown>;
  return { ...record, [name]: changed(record[name], rest, to) };
}

/** Path of one number of a field. */
const axisPathOf = ({ path }: NumericField, axis: string) => (axis ? `${path}.${axis}` : path);

/** One number of a field, in display units. */
export const readNumber = (draft: NumericDraft, field: NumericField, axis: string): number =>
  readIn((within(draft.value, axisPathOf(field, axis).split('.')) as number | undefined) ?? 0, field.unit);

/** Sets one number of a field, as part of its setting. */
export function writeNumber(draft: NumericDraft, field: NumericField, axis: string, value: number): void {
  if (Object.is(readNumber(draft, field, axis), value)) return;
  const names = axisPathOf(field, axis).split('.');
  // Drafts address settings by the names directly below `config`.
  const own = names.slice(0, names[0] === 'config' ? 2 : 1);
  draft.set({
    [own.join('.')]: changed(within(draft.value, own), names.slice(own.length), writtenIn(value, field.unit)),
  });
}

/** Error text of one number of a field. */
export function errorOf(draft: NumericDraft, field: NumericField, axis: string): string | undefined {
  const error = draft.errors[axisPathOf(field, axis)];
  const { min, max } = field.bounds;
  return error && (limitProblem(readNumber(draft, field, axis), min, max) ?? error);
}
