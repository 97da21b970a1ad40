import { z } from 'zod';
import type { Call } from './call.ts';
import { API_PREFIX, calls } from './calls.ts';
import { type ErrorCode, errors, TOKEN_REASONS } from './errors.ts';
import { convertSchemas, type Json, pascal, type Side } from './openapi-schemas.ts';

/** Converted schemas of the calls by keys such as `rooms.read.output`. */
type Schemas = ReadonlyMap<string, Json>;

/** Converted schemas and their components. */
type Converted = ReturnType<typeof convertSchemas>;

/** Every call with its operation id. */
const named = (): [string, Call][] =>
  Object.entries(calls).flatMap(([area, table]) =>
    Object.entries(table as Record<string, Call>).map(([name, call]): [string, Call] => [`${area}.${name}`, call]),
  );

/** All possible errors of a call, from its declaration. */
export function errorsOf(call: Call): ErrorCode[] {
  const codes = new Set<ErrorCode>(call.errors);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add('bad_request', 'unknown_field', 'too_large', 'misdirected', 'suspended', 'failed', 'unavailable');
  if (call.method !== 'GET') add('foreign_site');
  if (call.access !== 'public') add('signed_out');
  if (call.access !== 'public' && !call.withoutFactor) add('second_factor_required');
  if (call.access.includes('.')) add('forbidden');
  if (call.params) add('not_found');
  if (call.body || call.files) add('invalid', 'wrong_type');
  if (call.method !== 'GET' && call.access !== 'public') add('stale');
  return [...codes];
}

/** Component name of the response for errors with the same status. */
const responseName = (codes: readonly ErrorCode[]) => codes.map(pascal).join('Or');

/** Errors of a call by status, in table order, so that equal sets share a response. */
function errorsByStatus(call: Call): [number, ErrorCode[]][] {
  const given = new Set(errorsOf(call));
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => given.has(code));
  return [...Map.groupBy(codes, (code) => errors[code].status)].toSorted(([a], [b]) => a - b);
}

const errorResponses = (call: Call): Record<string, Json> =>
  Object.fromEntries(
    errorsByStatus(call).map(([status, codes]) => [status, { $ref: `#/components/responses/${responseName(codes)}` }]),
  );

/** All shared error responses. */
function sharedResponses(table: readonly [string, Call][]): Record<string, Json> {
  const all = table.flatMap(([, call]) =>
    errorsByStatus(call).map(([, codes]): [string, Json] => [
      responseName(codes),
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
  return Object.fromEntries(new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Path or query parameters of an object schema. */
function parametersOf(schema: Json | undefined, where: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

/** Schema of ids in paths. */
const ID_TEXT = JSON.stringify({ $ref: '#/components/schemas/IdTextInput' });
/** The parameter of most paths, which is described once. */
const PATH_ID = { $ref: '#/components/parameters/PathId' };

/** Path parameters, with references to the shared one. */
const pathParametersOf = (schema: Json | undefined): Json[] =>
  parametersOf(schema, 'path').map((parameter) =>
    parameter.name === 'id' && JSON.stringify(parameter.schema) === ID_TEXT ? PATH_ID : parameter,
  );

/** Field schemas of an object, including composed ones. */
function queryFieldsOf(schema: Json | undefined, components: Record<string, Json>): Record<string, Json> {
  const { $ref, items, properties, allOf, oneOf } = (schema ?? {}) as {
    $ref?: string;
    items?: Json;
    properties?: Record<string, Json>;
    allOf?: Json[];
    oneOf?: Json[];
  };
  if ($ref) return queryFieldsOf(components[$ref.split('/').at(-1)!], components);
  if (items) return queryFieldsOf(items, components);
  const parts = [...(allOf ?? []), ...(oneOf ?? [])].map((part) => queryFieldsOf(part, components));
  return Object.assign({}, ...parts, properties);
}

/** Read-only fields of an edit: those of the edited resource that its body can't set. */
function readOnlyFields(call: Call, schema: Json, answered: Converted): Json {
  if (!call.edits) return {};
  const own = Object.keys(schema.properties as Json);
  const fields = Object.entries(queryFieldsOf(answered.schemas.get(`${call.edits.read}.output`), answered.components));
  return Object.fromEntries(
    fields
      .filter(([name]) => !own.includes(name))
      .map(([name, { description }]) => [name, { ...(description !== undefined && { description }), readOnly: true }]),
  );
}

function requestBodyOf(call: Call, given: Json | undefined, answered: Converted): Json | undefined {
  const { body, files } = call;
  if (!body && !files) return undefined;
  const plain = given ?? { type: 'object', properties: {} };
  const readOnly = readOnlyFields(call, plain, answered);
  const schema = { ...plain, properties: { ...(plain.properties as Json), ...readOnly } };
  if (!files) return { required: true, content: { 'application/json': { schema } } };
  const uploads = Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }]));
  const form = { ...schema, properties: { ...(schema.properties as Json), ...uploads } };
  return { required: true, content: { 'multipart/form-data': { schema: form } } };
}

const messages = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
  description: 'Messages by field. `error` for general errors, `success` for success messages.',
};

const pageMeta = {
  type: 'object',
  required: ['total', 'page', 'last_page'],
  properties: {
    total: { type: 'integer' },
    page: { type: 'integer' },
    last_page: { type: 'integer' },
    is_more: { type: 'boolean', description: "Whether more than `total` entries exist. They aren't counted." },
    is_prefix_only: { type: 'boolean', description: 'Whether the search matched only the beginnings of texts.' },
  },
};

/** Whether a successful response contains only a message. */
const isMessageOnly = ({ output, done, status, paged, report }: Call): boolean =>
  output instanceof z.ZodNull && done !== undefined && status === undefined && !paged && !report;

/** The shared response of calls without data. */
const messageOnlyResponse = {
  description: 'Success.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { data: { type: 'null' }, msg: { $ref: '#/components/schemas/Messages' } },
        required: ['data', 'msg'],
      },
    },
  },
};

/** Content of a successful response. */
function contentOf(name: string, call: Call, answered: Schemas): Json {
  const data = answered.get(`${name}.output`);
  if (call.download) return { [call.download]: { schema: data } };
  const properties = {
    data,
    ...(call.paged && { meta: { $ref: '#/components/schemas/PageMeta' } }),
    ...(call.done && { msg: { $ref: '#/components/schemas/Messages' } }),
    ...(call.report && { report: answered.get(`${name}.report`) }),
  };
  const required = Object.keys(properties).filter((key) => key !== 'report');
  return { 'application/json': { schema: { type: 'object', properties, required } } };
}

/** Whether a session is required, optional or unused; an empty entry allows requests without one. */
function securityOf({ access, errors: codes, ticket }: Call): Json[] {
  if (access !== 'public') return ticket ? [{ session: [] }, {}] : [{ session: [] }];
  return codes?.includes('signed_out') ? [{}, { session: [] }] : [];
}

function operationOf(name: string, call: Call, sent: Schemas, answered: Converted): Json {
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: call.summary,
    description: `Access: \`${call.access}\`.`,
    parameters: [...pathParametersOf(sent.get(`${name}.params`)), ...parametersOf(sent.get(`${name}.query`), 'query')],
    requestBody: requestBodyOf(call, sent.get(`${name}.body`), answered),
    security: securityOf(call),
    responses: {
      [call.status ?? 200]: isMessageOnly(call)
        ? { $ref: '#/components/responses/Done' }
        : { description: 'Success.', ...(call.status !== 204 && { content: contentOf(name, call, answered.schemas) }) },
      ...errorResponses(call),
    },
  };
}

function convert(table: [string, Call][], parts: ('params' | 'query' | 'body' | 'output' | 'report')[], side: Side) {
  const wanted = table.flatMap(([name, call]) =>
    parts.flatMap((part): [string, z.ZodType][] => (call[part] ? [[`${name}.${part}`, call[part]]] : [])),
  );
  return convertSchemas(new Map(wanted), side);
}

/** Components referenced in the document, directly or indirectly. */
function referencedComponents(start: unknown, components: Record<string, Json>): Record<string, Json> {
  const found = new Map<string, Json>();
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      const component = components[name];
      if (!component || found.has(name)) continue;
      found.set(name, component);
      visit(component);
    }
  };
  visit(start);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The OpenAPI 3.1 document of the call table. */
export function openApi(): Json {
  const table = named();
  const sent = convert(table, ['params', 'query', 'body'], 'input');
  const answered = convert(table, ['output', 'report'], 'output');
  const paths: Record<string, Json> = {};
  for (const [name, call] of table) {
    const path = API_PREFIX + call.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(name, call, sent.schemas, answered);
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation };
  }
  const error = {
    type: 'object',
    required: ['code', 'msg', 'suggestion'],
    properties: {
      code: { enum: Object.keys(errors), description: 'Stable error code.' },
      msg: { $ref: '#/components/schemas/Messages' },
      suggestion: { type: 'string', description: 'What to do next.' },
      reason: { enum: TOKEN_REASONS, description: "With `code_required`: why an existing token doesn't grant access." },
      retry_after: {
        type: 'integer',
        description:
          'With `too_many` and `unavailable`: seconds to wait before a retry, as in the `Retry-After` header.',
      },
      table: { $ref: '#/components/schemas/ImportTable' },
      request_id: {
        type: 'string',
        description: 'Request ID, as in the `X-Request-Id` header and the server log.',
      },
    },
  };
  const responses = { ...sharedResponses(table), Done: messageOnlyResponse };
  const all = { ...sent.components, ...answered.components, Error: error, Messages: messages, PageMeta: pageMeta };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Enfilade',
      version: '1',
      description:
        'Successful responses contain `data`; error responses contain `code`, `msg` and `suggestion`. Objects can be sent back as received: unchanged read-only fields are ignored.',
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      responses,
      parameters: { PathId: { name: 'id', in: 'path', required: true, schema: JSON.parse(ID_TEXT) } },
      schemas: referencedComponents([paths, responses, ID_TEXT], all),
    },
  };
}
