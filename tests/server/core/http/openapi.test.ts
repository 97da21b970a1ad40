import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { errors } from '../../../../src/contract/errors.ts';
import { openApi } from '../../../../src/contract/openapi.ts';
import { ApiApp } from '../../../harness/api-app.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { type?: string };
}

interface Operation {
  operationId: string;
  summary: string;
  parameters: (Parameter | { $ref: string })[];
  responses: Record<string, { content: Record<string, { schema: unknown }> } | { $ref: string }>;
  security: unknown[];
  requestBody?: { content: Record<string, unknown> };
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<
      string,
      { description?: string; properties?: Record<string, { description?: string; $ref?: string }> }
    >;
    responses: Record<string, { description: string }>;
    parameters: Record<string, Parameter>;
  };
}

const document = openApi() as unknown as Document;

/** The parameters of an operation, shared ones included. */
const parametersOf = ({ parameters }: Operation): Parameter[] =>
  parameters.map((parameter) =>
    '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  );

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const table = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => ({ name: `${area}.${name}`, call })),
);

describe('the OpenAPI document', () => {
  it('describes every call once, by its method and path', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      table.map(({ name }) => name).sort(),
    );
    for (const { name, call } of table) {
      const path = `/api/v1${call.path.replace(/:(\w+)/g, '{$1}')}`;
      expect(document.paths[path]?.[call.method.toLowerCase()]?.operationId).toBe(name);
    }
  });

  it('takes what the server takes: no rule of a pattern is lost on the way', () => {
    const [pattern] = /"pattern":"([^"]*#[^"]*0-9a-f[^"]*)"/.exec(JSON.stringify(document))!.slice(1) as [string];
    for (const color of ['#14171C', '#abc', '#AbCdEf']) expect(color).toMatch(new RegExp(JSON.parse(`"${pattern}"`)));
    const flagged = ['engine/document', 'src/contract'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .filter((name) => /\.regex\(\/.*\/[a-z]+[,)]/.test(readFileSync(join(folder, name), 'utf8'))),
    );
    expect(flagged, 'flags of patterns are lost in JSON Schema').toEqual([]);
  });

  it('is small enough to load, and refers only to what it has', () => {
    const text = JSON.stringify(document);
    expect(text.length).toBeLessThan(720_000);
    const names = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference!);
    expect(names.length).toBeGreaterThan(100);
    for (const name of new Set(names)) {
      expect(name).toMatch(/^#\/components\/(?:schemas|responses|parameters)\/\w+$/);
      const [kind, component] = name.split('/').slice(2) as [keyof Document['components'], string];
      expect(document.components[kind]).toHaveProperty([component]);
    }
    for (const kind of ['schemas', 'responses', 'parameters'] as const)
      for (const name of Object.keys(document.components[kind]))
        expect(text.includes(`"#/components/${kind}/${name}"`), `${name} is used`).toBe(true);
  });

  it('names every parameter of a path, and the errors of each call with their statuses', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { path, operation } of operations) {
      const inPath = parametersOf(operation).filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect(statuses.includes(401)).toBe(operation.security.length > 0);
      expect(statuses.includes(404)).toBe(inPath.length > 0 || statuses.includes(404));
      expect(statuses).toContain(500);
      expect(operation.summary).toMatch(/\.$/);
    }
    const login = document.paths['/api/v1/backend/users/login']!.post!;
    expect(Object.keys(login.responses)).toEqual([
      '200',
      '400',
      '403',
      '413',
      '415',
      '421',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(login.responses['429']).toEqual({ $ref: '#/components/responses/TooMany' });
    expect(document.components.responses.TooMany!.description).toContain(errors.too_many.message);
    const id = parametersOf(document.paths['/api/v1/backend/rooms/{id}']!.get!)[0]!;
    expect(id.schema).toEqual({ $ref: '#/components/schemas/IdTextInput' });
    expect(document.components.schemas.IdTextInput).toMatchObject({ type: 'integer', exclusiveMinimum: 0 });
    const endpoint = document.paths['/api/v1/backend/endpoints']!.post!;
    expect(Object.keys(endpoint.requestBody!.content)).toEqual(['multipart/form-data']);
  });

  it('every error has words and a suggestion, and a status that fits', () => {
    for (const { status, message, suggestion } of Object.values(errors)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(message).toMatch(/\.$/);
      expect(suggestion).toMatch(/\.$/);
    }
  });

  it('every field of a room, template and structure has a sentence', () => {
    const schemas = document.components.schemas;
    const sentenceOf = ({ description, $ref }: { description?: string; $ref?: string }) =>
      description ?? schemas[$ref?.split('/').at(-1) ?? '']?.description;
    for (const name of ['Room', 'Template', 'Camera', 'RoomConfig', 'Settings', 'Media', 'Endpoint'])
      for (const [field, schema] of Object.entries(schemas[name]!.properties!))
        if (!['policies', 'children'].includes(field)) expect(sentenceOf(schema), `${name}.${field}`).toMatch(/\.$/);
  });
});

describe('the documentation of a running server', () => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
  });
  afterAll(() => api.close());

  it('is the document, and a page to browse it', async () => {
    const { status, body } = await api.send('GET', '/api/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    const page = await api.send('GET', '/api/docs/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const [, address] of page.text.matchAll(/(?:src|href)="([^"#]+)"/g))
      expect((await api.send('GET', new URL(address!, `${api.origin}/api/docs/`).pathname)).status, address).toBe(200);
    expect((await api.send('GET', '/api/docs/json')).body).toEqual(body);
  });
});
