import { z } from 'zod';
import type { Call } from './call.ts';
import { API_PREFIX, calls } from './calls.ts';
import { errors } from './errors.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return rest;
};

/** Parameters of an object schema, each in the path or the query. */
function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function bodyOf({ body, files }: Call): Json | undefined {
  if (!body && !files) return undefined;
  const schema = body ? schemaOf(body, 'input') : { type: 'object', properties: {} };
  if (!files) return { content: { 'application/json': { schema } } };
  const uploads = Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }]));
  return {
    content: {
      'multipart/form-data': { schema: { ...schema, properties: { ...(schema.properties as Json), ...uploads } } },
    },
  };
}

function operationOf(area: string, name: string, call: Call): Json {
  const data = schemaOf(call.output, 'output');
  const failure = {
    description: 'What went wrong.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: call.summary,
    description: `Access: \`${call.access}\`.`,
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    requestBody: bodyOf(call),
    security: call.access === 'public' ? [] : [{ session: [] }],
    responses: {
      [call.status ?? 200]: {
        description: 'Done.',
        content: { 'application/json': { schema: { type: 'object', properties: { data }, required: ['data'] } } },
      },
      default: failure,
    },
  };
}

/** The OpenAPI 3.1 document of the call table. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [area, table] of Object.entries(calls)) {
    for (const [name, call] of Object.entries(table) as [string, Call][]) {
      const path = API_PREFIX + call.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(area, name, call) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Enfilade',
      version: '1',
      description: 'Answers carry `data`; errors carry `code`, `msg` and `suggestion`.',
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'msg', 'suggestion'],
          properties: {
            code: { enum: Object.keys(errors) },
            msg: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
            suggestion: { type: 'string' },
          },
        },
      },
    },
  };
}
