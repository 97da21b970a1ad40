import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import type { RoomCommand } from '../../engine/document/commands.ts';
import { ELEMENT_TYPES, type Element, type ElementType, flatElementSchema } from '../../engine/document/element.ts';
import { parseRoom, type Room, roomFieldsSchema } from '../../engine/document/room.ts';
import { templateSchema } from '../../engine/document/template.ts';
import { branchOf, childrenOf } from '../../engine/document/tree.ts';

type Json = Record<string, unknown>;

/** Sample strings; each field gets those that match its schema. */
const SAMPLES = [
  '',
  'Red hall',
  'Grüße, 世界 🌍',
  '<p>Hello <b>you</b></p>',
  '{"a":1}',
  "Robert'); DROP TABLE rooms;--",
  '#F00',
  '#14171c',
  '00:00',
  '23:59',
  '/media/7/hall.glb?v=2',
  'https://example.org/a/b.mp4?c=d#e',
  'line\nbreak\ttab',
  'Europe/Amsterdam',
  'nl',
  'nl:name',
  'pt-BR:config.title',
  'cbf29ce484222325',
];

/** Integers and fractions within limits, without −0, which JSON does not have. */
function numbers(schema: z.ZodNumber): Arbitrary<number> {
  const min = schema.minValue ?? -1_000_000;
  const max = schema.maxValue ?? 1_000_000;
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  if (schema.isInt) return whole;
  const any = fc.oneof(
    whole,
    fc.double({ min, max, noNaN: true }).map((value) => value + 0),
  );
  return any;
}

function strings(schema: z.ZodString): Arbitrary<string> {
  const [first, ...rest] = SAMPLES.filter((sample) => schema.safeParse(sample).success);
  // A filter without a match would run forever.
  if (first === undefined) throw new Error(`No sample is valid for ${JSON.stringify(schema.meta() ?? schema.def)}.`);
  return fc.constantFrom(first, ...rest);
}

/** Any value that matches a schema; settings with a default are sometimes omitted. */
function anyOf(schema: z.ZodType): Arbitrary<unknown> {
  const values = anyInside(schema);
  // Rules across fields, such as a camera's near below its far, are met by filtering.
  return schema.def.checks?.length ? values.filter((value) => schema.safeParse(value).success) : values;
}

function anyInside(schema: z.ZodType): Arbitrary<unknown> {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return fc.option(anyOf(schema.unwrap() as z.ZodType), { nil: undefined, freq: 2 });
  if (schema instanceof z.ZodNullable) return fc.option(anyOf(schema.unwrap() as z.ZodType), { freq: 2 });
  if (schema instanceof z.ZodNumber) return numbers(schema);
  if (schema instanceof z.ZodString) return strings(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constant(schema.value);
  if (schema instanceof z.ZodArray) return fc.array(anyOf(schema.element as z.ZodType), { maxLength: 2 });
  if (schema instanceof z.ZodUnion) return fc.oneof(...(schema.options as z.ZodType[]).map(anyOf));
  if (schema instanceof z.ZodObject) return objectOf(schema);
  // An empty record is left out of documents.
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(
      anyOf(schema.keyType as z.ZodType) as Arbitrary<string>,
      anyOf(schema.valueType as z.ZodType),
      {
        minKeys: 1,
        maxKeys: 2,
      },
    );
  // Values with aliases are generated in their parsed form.
  if (schema instanceof z.ZodPipe) return anyOf(schema.out as z.ZodType);
  throw new Error(`No arbitrary for a schema of type ${schema.type}.`);
}

function objectOf(schema: z.ZodObject): Arbitrary<Json> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, anyOf(field)] as const);
  return fc
    .record(Object.fromEntries(fields))
    .map((values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)));
}

const elementArbitraries = new Map(
  flatElementSchema.options.map((schema) => [schema.shape.element.value, objectOf(schema)]),
);
const fieldsArbitrary = objectOf(roomFieldsSchema);
const templateArbitrary = fc.option(objectOf(templateSchema), { freq: 2 });

/** Raw data of an element without children, matching the schema of its type. */
const rawElement = (types: readonly ElementType[]) =>
  fc.constantFrom(...types).chain((type) => elementArbitraries.get(type)!);

/** Nests elements: each becomes a root or a child of an earlier one, so that all tree shapes are possible. */
function nest(list: readonly { raw: Json; pick: number }[], firstId: number): Json[] {
  const top: Json[] = [];
  const all: { raw: Json; children: Json[] }[] = [];
  for (const [index, { raw, pick }] of list.entries()) {
    const children: Json[] = [];
    const element = { ...raw, id: firstId + index, children };
    // Half of the elements become roots.
    (all[pick % (2 * (all.length + 1))]?.children ?? top).push(element);
    all.push({ raw: element, children });
  }
  return top;
}

/** Any valid room as returned by `parseRoom`, with elements of all types, randomly nested and linked. */
export function arbitraryRoom({ maxElements = 6 }: { maxElements?: number } = {}): Arbitrary<Room> {
  const element = fc.record({ raw: rawElement(ELEMENT_TYPES), pick: fc.nat(1000) });
  return fc
    .record({
      fields: fieldsArbitrary,
      template: templateArbitrary,
      id: fc.integer({ min: 1, max: 1_000_000 }),
      elements: fc.array(element, { maxLength: maxElements }),
    })
    .map(({ fields, template, id, elements }) =>
      parseRoom({ ...fields, title: fields.title || 'Room', template, id, elements: nest(elements, id) }),
    );
}

/** A random subset of an object's fields, and of its settings in `config`. */
const some = (value: Json, left: ReadonlySet<string>): Arbitrary<Json> => {
  const settings = value.config as Json | undefined;
  const names = Object.keys(value).filter((name) => !left.has(name) && name !== 'config');
  return fc
    .record({ fields: fc.subarray(names), config: fc.option(fc.subarray(Object.keys(settings ?? {}))) })
    .map(({ fields, config }) => ({
      ...Object.fromEntries(fields.map((name) => [name, value[name]])),
      ...(config && settings && { config: Object.fromEntries(config.map((name) => [name, settings[name]])) }),
    }));
};

const PLACED = new Set(['id', 'element', 'parent_element_id', 'index']);

/** A parsed element with this id and without children. */
const newElement = (id: number, types: readonly ElementType[] = ELEMENT_TYPES): Arbitrary<Element> =>
  rawElement(types).map((raw) => parseRoom({ id: 1, title: 'Room', elements: [{ ...raw, id }] }).elements[0]!);

/** Any command that applies to a room: its elements exist, and no element moves into itself. */
export function arbitraryCommand(room: Room): Arbitrary<RoomCommand> {
  const all = room.elements;
  const freeId = Math.max(0, ...all.map(({ id }) => id)) + 1;
  const placeIn = (parents: readonly (number | null)[]) =>
    fc.constantFrom(...parents).chain((parent) =>
      fc.record({
        parent: fc.constant(parent),
        after: fc.constantFrom(null, ...childrenOf(room.elements, parent).map(({ id }) => id)),
      }),
    );
  const parents = [null, ...all.map(({ id }) => id)];
  const add = fc.tuple(newElement(freeId), placeIn(parents)).map(
    ([element, place]): RoomCommand => ({
      type: 'element.add',
      elements: [{ ...element, parent_element_id: place.parent }],
      ...place,
    }),
  );
  const update = fieldsArbitrary
    .chain((fields) =>
      some(
        parseRoom({ ...fields, title: fields.title || 'Room', id: 1 }),
        new Set(['id', 'version', 'elements', 'template']),
      ),
    )
    .map((fields): RoomCommand => ({ type: 'room.update', fields }));
  if (all.length === 0) return fc.oneof(add, update);

  const id = fc.constantFrom(...all.map((element) => element.id));
  const remove = id.map((chosen): RoomCommand => ({ type: 'element.remove', id: chosen }));
  const change = fc.constantFrom(...all).chain((element) =>
    newElement(element.id, [element.element])
      .chain((other) => some(other, PLACED))
      .map((fields): RoomCommand => ({ type: 'element.update', id: element.id, fields })),
  );
  const move = id.chain((chosen) => {
    const own = new Set<number | null>(branchOf(room.elements, chosen).map((element) => element.id));
    return placeIn(parents.filter((parent) => parent === null || !own.has(parent))).map(
      (place): RoomCommand => ({ type: 'element.move', id: chosen, ...place }),
    );
  });
  return fc.oneof(add, update, remove, change, move);
}
