import { z } from 'zod';

type Bare<S> = S extends z.ZodDefault<infer I> ? I : S extends z.ZodPrefault<infer I> ? I : S;

/** The fields of an edit: each may be left out, and what is left out has no value. */
export type EditShape<S extends z.ZodRawShape> = {
  [K in keyof S]: z.ZodOptional<Extract<Bare<S[K]>, z.core.SomeType>>;
};

function bare(schema: z.ZodType): z.ZodType {
  // A default below a nullable would also stand in for what is left out.
  if (schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType).nullable();
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return schema;
  const inner = bare(schema.unwrap() as z.ZodType);
  return schema.description ? inner.describe(schema.description) : inner;
}

/**
 * Fields of an entity as an edit takes them. Defaults are taken off: `partial()` alone keeps them, and an edit of one
 * field would then set every other one back.
 */
export function editShape<S extends z.ZodRawShape>(shape: S): EditShape<S> {
  const fields: z.ZodRawShape = Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, bare(schema as z.ZodType).optional()]),
  );
  return fields as EditShape<S>;
}
