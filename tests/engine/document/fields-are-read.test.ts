import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { descriptors, ELEMENT_TYPES, type ElementType, elementSchema } from '../../../engine/document/element.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { templateSchema } from '../../../engine/document/template.ts';
import { organizationSchema } from '../../../src/contract/entities.ts';
import { FOR_OTHERS, READERS } from './setting-readers.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A piece of a program as the parser gives it. */
type Node = Record<string, unknown>;

/** Names that a file reads: of properties, taken out or by their own name, and words that names are put together from. */
function namesReadIn(place: string): Set<string> {
  const { program, errors } = parseSync(place, readFileSync(join(ROOT, place), 'utf8'));
  expect(errors, place).toEqual([]);
  const names = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Node;
    const kind = String(node.type);
    // What stands in types alone is not read.
    if (/^TS(?!NonNull|As|Satisfies)/.test(kind)) return;
    if (kind === 'MemberExpression' && !node.computed) names.add(String((node.property as Node).name));
    if (kind === 'ObjectPattern')
      for (const { key } of node.properties as { key?: Node }[]) if (key?.name) names.add(String(key.name));
    if (kind === 'Literal' && typeof node.value === 'string') names.add(node.value);
    if (kind === 'TemplateElement') names.add((node.value as { cooked: string }).cooked);
    for (const part of Object.values(node)) look(part);
  };
  look(program);
  return names;
}

/** A schema without what is optional about it. */
function bare(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { _zod } = schema as z.core.$ZodTypes;
  const def = _zod.def as { innerType?: z.core.$ZodType; element?: z.core.$ZodType; type: string };
  const inner = def.innerType ?? (def.type === 'array' ? def.element : undefined);
  return inner ? bare(inner) : (schema as z.core.$ZodTypes);
}

const shapeOf = (schema: z.core.$ZodType): Record<string, z.core.$ZodType> | undefined => {
  const { def } = bare(schema)._zod;
  return def.type === 'object' ? def.shape : undefined;
};
const optionsOf = (schema: z.core.$ZodType): readonly z.core.$ZodType[] | undefined => {
  const { def } = bare(schema)._zod;
  return def.type === 'union' ? def.options : undefined;
};
/** The one value of a field, such as the type of an element. */
const onlyValue = (schema: z.core.$ZodType | undefined): string | undefined => {
  const def = schema && bare(schema)._zod.def;
  return def?.type === 'literal' ? String(def.values[0]) : undefined;
};

/** Whether an object is one value for whoever reads it: a vector, a link or a file. */
const isValue = (name: string, shape: object): boolean =>
  Object.keys(shape).join() === 'x,y,z' || Object.keys(shape).join() === 'name,navigation' || /(?:^|_)file$/.test(name);

/** Every field below a schema by its path. */
function* fieldsOf(schema: z.core.$ZodType, path: string): Generator<string> {
  const shape = shapeOf(schema);
  const name = path.split('.').at(-1)!;
  const isUnion = optionsOf(schema) !== undefined && name !== 'navigation';
  if (isUnion) for (const option of optionsOf(schema)!) yield* fieldsOf(option, path);
  else if (!shape || isValue(name, shape)) yield path;
  else
    for (const [field, inner] of Object.entries(shape))
      if (field !== 'children') yield* fieldsOf(inner, `${path}.${field}`);
}

/** Fields of elements: those that all types have once, the others by type; and what links of each kind carry. */
function elementFields(): string[] {
  const types = optionsOf(elementSchema) ?? [];
  const byType = types.map((schema) => {
    const type = onlyValue(shapeOf(schema)!.element)!;
    return { type, fields: [...fieldsOf(schema, type)].map((path) => path.slice(type.length + 1)) };
  });
  const isShared = (field: string) => byType.every(({ fields }) => fields.includes(field));
  const own = byType.flatMap(({ type, fields }) =>
    fields.map((field) => (isShared(field) ? `element.${field}` : `${type}.${field}`)),
  );
  const image = types.find((schema) => onlyValue(shapeOf(schema)!.element) === 'image')!;
  const links = optionsOf(shapeOf(shapeOf(image)!.config!)!.navigation!)!.flatMap((schema) => {
    const { type, type_config } = shapeOf(schema)!;
    return ['navigation.type', ...(type_config ? fieldsOf(type_config, `navigation.${onlyValue(type)}`) : [])];
  });
  return [...own, ...links].filter((path) => !/^navigation\.\w+$/.test(path) || path === 'navigation.type');
}

const fields = new Set([
  ...fieldsOf(roomFieldsSchema, 'room'),
  ...fieldsOf(templateSchema, 'template'),
  ...fieldsOf(organizationSchema, 'organization'),
  ...elementFields(),
]);
const read = Object.entries(READERS).flatMap(([place, entries]) =>
  entries.map((entry) => {
    const [field = '', part = field.split('.').at(-1)!] = entry.split(':');
    return { place, field, part };
  }),
);

/** A setting of one type is read by what draws the type, or is where its file may stand, unless another reader is listed. */
function isReadByItsType(field: string): boolean {
  const [type = '', , setting = ''] = field.split('.');
  if (!ELEMENT_TYPES.includes(type as ElementType)) return false;
  if (descriptors[type as ElementType].traits.sources?.includes(setting)) return true;
  return namesReadIn(`engine/stage/elements/${type.replaceAll('_', '-')}.ts`).has(setting);
}

test('every setting of rooms, elements, templates and the organization has somebody who reads it', () => {
  const named = new Set([...read.map(({ field }) => field), ...Object.keys(FOR_OTHERS)]);
  expect([...fields].filter((field) => !named.has(field) && !isReadByItsType(field))).toEqual([]);
  expect([...named].filter((field) => !fields.has(field))).toEqual([]);
});

test('whoever is named as its reader reads it', () => {
  const names = new Map(Object.keys(READERS).map((place) => [place, namesReadIn(place)]));
  expect(read.filter(({ place, part }) => !names.get(place)!.has(part))).toEqual([]);
});
