import { z } from 'zod';
import { descriptors, flatElementSchema } from '../../../engine/document/element.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { calls } from '../../../src/contract/calls.ts';
import { labelAt, valueLabel } from '../../../src/editor/fields/field-label.ts';
import { withoutRadians } from '../../../src/editor/fields/field-schema.ts';

/** Adds the descriptions inside a schema, as forms show them. */
function addDescriptions(schema: z.ZodType, found: Set<string>, seen: Set<z.ZodType>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const description = schema.description?.replace(/\bnull\b/g, 'empty');
  if (description) found.add(description).add(withoutRadians(description));
  const inside: unknown[] = [];
  if (schema instanceof z.ZodObject) inside.push(...Object.values(schema.shape));
  if (schema instanceof z.ZodArray) inside.push(schema.element);
  if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion) inside.push(...schema.options);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable)
    inside.push(schema.unwrap());
  if (schema instanceof z.ZodOptional) inside.push(schema.unwrap());
  if (schema instanceof z.ZodPipe) inside.push(schema.out);
  for (const each of inside) addDescriptions(each as z.ZodType, found, seen);
}

/** Adds the labels of the fields inside a schema and of their values. Tests have no table, so they are in English. */
function addLabels(schema: z.ZodType, path: string, found: Set<string>): void {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  )
    addLabels(schema.unwrap() as z.ZodType, path, found);
  if (schema instanceof z.ZodPipe) addLabels(schema.out as z.ZodType, path, found);
  if (schema instanceof z.ZodArray) addLabels(schema.element as z.ZodType, path, found);
  if (schema instanceof z.ZodUnion) for (const option of schema.options) addLabels(option as z.ZodType, path, found);
  if (schema instanceof z.ZodEnum) for (const option of schema.options) found.add(valueLabel(String(option)));
  if (!(schema instanceof z.ZodObject)) return;
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    const inner = path === '' ? name : `${path}.${name}`;
    found.add(labelAt(inner));
    addLabels(field, inner, found);
  }
}

/** Texts of shared code that the back-office translates where it shows them: element types, and fields with their help texts. */
export function sharedTexts(): Set<string> {
  const found = new Set<string>();
  for (const { label, description } of Object.values(descriptors)) found.add(label).add(description);
  const seen = new Set<z.ZodType>();
  addDescriptions(flatElementSchema, found, seen);
  addDescriptions(roomFieldsSchema, found, seen);
  addLabels(flatElementSchema, '', found);
  addLabels(roomFieldsSchema, '', found);
  const { meta_title, meta_description } = calls.organizations.update.body.shape;
  for (const schema of [meta_title, meta_description]) if (schema.description) found.add(schema.description);
  return found;
}
