import { z } from 'zod';

type Bare<S> = S extends z.ZodDefault<infer I> ? I : S extends z.ZodPrefault<infer I> ? I : S;

/** The fields of an edit: all optional, without defaults. */
export type EditShape<S extends z.ZodRawShape> = {
  [K in keyof S]: z.ZodOptional<Extract<Bare<S[K]>, z.core.SomeType>>;
};

function bare(schema: z.ZodType): z.ZodType {
  // A default inside a nullable would also fill in omitted fields.
  if (schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType).nullable();
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return schema;
  const inner = bare(schema.unwrap() as z.ZodType);
  return schema.description ? inner.describe(schema.description) : inner;
}

/**
 * Converts an entity's fields to those of an edit. Removes defaults: `partial()` keeps them, so editing one field would
 * reset all others.
 */
export function editShape<S extends z.ZodRawShape>(shape: S): EditShape<S> {
  const fields: z.ZodRawShape = Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, bare(schema as z.ZodType).optional()]),
  );
  return fields as EditShape<S>;
}
