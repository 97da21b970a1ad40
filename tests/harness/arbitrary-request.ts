import fc, { type Arbitrary } from 'fast-check';
import { openApi } from '../../src/contract/openapi.ts';

/** The subset of JSON Schema that the OpenAPI document uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  readOnly?: boolean;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** A generated request to a call, which matches its schema or nearly does. */
export interface GeneratedRequest {
  name: string;
  params: Record<string, string>;
  query: string;
  /** Undefined if the call takes none. */
  body: unknown;
}

const document = openApi() as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Maximum depth of nested values, and maximum lengths of generated text: in general, and at length limits. */
const DEEPEST = 5;
const USUAL_TEXT = 40;
const MAX_TEXT_LENGTH = 3000;

const anyValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', '\u0000', '\ud800', '🙂', [], {}, [[]]),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.jsonValue({ maxDepth: 3 }),
);

function texts({ format, pattern, minLength = 0, maxLength = MAX_TEXT_LENGTH }: Schema): Arbitrary<unknown> {
  if (format === 'email') return fc.constantFrom('a@example.com', 'B.c+d@example.org');
  if (format === 'date-time') return fc.constantFrom('2026-03-10T12:00:00Z', '2027-01-01T00:00:00.5+14:00');
  if (format === 'uri') return fc.constantFrom('https://example.com/x', 'https://a.example:8443/');
  if (format === 'binary') return fc.string({ maxLength: 200 });
  const bounds = [minLength, maxLength, maxLength + 1].filter((length) => length <= MAX_TEXT_LENGTH);
  const plain = fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, USUAL_TEXT)) }) },
    { weight: 1, arbitrary: fc.constantFrom(...bounds, minLength).map((length) => 'a'.repeat(length)) },
  );
  if (!pattern) return plain;
  try {
    return fc.oneof({ weight: 4, arbitrary: fc.stringMatching(new RegExp(pattern)) }, { weight: 1, arbitrary: plain });
  } catch {
    // Some patterns can't be used to generate values.
    return fc.oneof(plain, fc.constantFrom('#ff0000', '19:55', 'https://example.com/', '/media/x', ''));
  }
}

function numbers({ type, minimum, maximum = 1e6, exclusiveMinimum }: Schema): Arbitrary<unknown> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1e6 : exclusiveMinimum + 1);
  const max = Math.max(min, maximum);
  if (type === 'number' && max - min < 2) return fc.double({ min, max, noNaN: true });
  const bounds = fc.constantFrom(min, max, min - 1, max + 1);
  // Ids are small, so that some of them exist.
  const lowest = Math.ceil(Math.max(min, -3));
  const small = fc.integer({ min: lowest, max: Math.max(lowest, Math.floor(Math.min(max, 8))) });
  const any = type === 'number' ? fc.double({ min, max, noNaN: true }) : fc.integer({ min: 0, max: 1e6 });
  return fc.oneof({ weight: 8, arbitrary: small }, { weight: 1, arbitrary: bounds }, { weight: 1, arbitrary: any });
}

function objects(schema: Schema, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const written = Object.entries(properties).filter(([, { readOnly }]) => !readOnly);
  const entries = written.map(([name, property]) => [name, valuesOf(property, depth + 1)] as const);
  const optional = entries.map(([name]) => name).filter((name) => !required.includes(name));
  const whole = fc
    .tuple(fc.subarray(optional, { maxLength: Math.min(optional.length, 4) }), fc.record(Object.fromEntries(entries)))
    .map(([chosen, values]) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => required.includes(name) || chosen.includes(name))),
    );
  if (!additionalProperties) return whole;
  const names = fc.constantFrom('title', 'navigation', 'body', 'file_url', 'color', 'muted', 'x');
  return fc
    .tuple(whole, fc.dictionary(names, anyValue, { maxKeys: 2, noNullPrototype: true }))
    .map(([a, b]) => ({ ...b, ...a }));
}

/** Values that match a schema, including its limits. */
function valuesOf(schema: Schema, depth = 0): Arbitrary<unknown> {
  if (depth > DEEPEST) return fc.constant(null);
  if (schema.$ref) return valuesOf(document.components.schemas[schema.$ref.split('/').at(-1)!]!, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, depth)));
  if (schema.allOf)
    return fc.tuple(...schema.allOf.map((part) => valuesOf(part, depth))).map((parts) => Object.assign({}, ...parts));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, depth)));
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, depth + 1), {
        minLength: Math.min(schema.minItems ?? 0, 3),
        maxLength: 4,
      });
    case 'object':
      return objects(schema, depth);
    default:
      return anyValue;
  }
}

/** A value with one error: a field that is missing, unknown, or of another type. */
function spoiled(value: unknown): Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return anyValue;
  const names = Object.keys(value);
  const fields = value as Record<string, unknown>;
  const ways: Arbitrary<unknown>[] = [
    fc
      .tuple(fc.constantFrom('x', '__proto__', 'id', 'policies', 'organization_id'), anyValue)
      .map(([name, junk]) =>
        JSON.parse(
          `{${JSON.stringify(name)}:${JSON.stringify(junk) ?? 'null'}${names.length ? `,${JSON.stringify(value).slice(1)}` : '}'}`,
        ),
      ),
  ];
  if (names.length > 0) {
    const one = fc.constantFrom(...names);
    ways.push(one.map((name) => Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))));
    ways.push(fc.tuple(one, anyValue).map(([name, junk]) => ({ ...fields, [name]: junk })));
    ways.push(one.chain((name) => spoiled(fields[name]).map((junk) => ({ ...fields, [name]: junk }))));
  }
  return fc.oneof(...ways);
}

/** Mostly valid values, and some with an error. */
const nearly = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ weight: 2, arbitrary: values }, { weight: 1, arbitrary: values.chain(spoiled) });

function parameters(operation: Operation, where: 'path' | 'query'): Arbitrary<Record<string, string>> {
  const own = operation.parameters.filter((parameter) => parameter.in === where);
  const entries = own.map(({ name, schema }) => {
    const fitting = name.startsWith('slug') ? fc.constantFrom('hall', 'hall-1', 'below') : valuesOf(schema);
    const texts = fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: anyValue });
    return [name, texts.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))] as const;
  });
  const all = fc.record(Object.fromEntries(entries));
  if (where === 'path') return all;
  return fc
    .tuple(fc.subarray(own.map(({ name }) => name)), all)
    .map(([chosen, values]) => Object.fromEntries(Object.entries(values).filter(([name]) => chosen.includes(name))));
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

function requestTo(operation: Operation): Arbitrary<GeneratedRequest> {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return fc
    .record({
      params: parameters(operation, 'path'),
      query: parameters(operation, 'query'),
      body: content ? nearly(valuesOf(content.schema)) : fc.constant(undefined),
    })
    .map(({ params, query, body }) => ({
      name: operation.operationId,
      params,
      query: new URLSearchParams(query).toString(),
      body,
    }));
}

/** Requests to all calls from the OpenAPI document: most of them valid, some at a limit, some invalid. */
export const arbitraryRequest: Arbitrary<GeneratedRequest> = fc.oneof(...operations.map(requestTo));
