import { z } from 'zod';
import { descriptors, flatElementSchema } from '../../../engine/document/element.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { calls } from '../../../src/contract/calls.ts';

/** Adds the descriptions inside a schema, as forms show them. */
function addDescriptions(schema: z.ZodType, found: Set<string>, seen: Set<z.ZodType>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.description) found.add(schema.description.replace(/\bnull\b/g, 'empty'));
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

/** Texts of shared code that the back-office translates where it shows them: element types, and help texts of fields. */
export function sharedTexts(): Set<string> {
  const found = new Set<string>();
  for (const { label, description } of Object.values(descriptors)) found.add(label).add(description);
  const seen = new Set<z.ZodType>();
  addDescriptions(flatElementSchema, found, seen);
  addDescriptions(roomFieldsSchema, found, seen);
  const { meta_title, meta_description } = calls.organizations.update.body.shape;
  for (const schema of [meta_title, meta_description]) if (schema.description) found.add(schema.description);
  return found;
}
