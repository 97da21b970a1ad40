import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, databases } from '../../../harness/api-app.ts';

/** A span as OTLP's JSON carries it. */
interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
  status?: { code?: number };
}
interface Export {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[];
}

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

describe.each(databases)('traces on %s', (kind) => {
  let collector: Server;
  let api: ApiApp;
  const spans: Span[] = [];
  const resources: object[] = [];
  let text = '';
  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      expect([request.url, request.headers['content-type']]).toEqual(['/v1/traces', 'application/json']);
      const sent = (await json(request)) as Export;
      text += JSON.stringify(sent);
      for (const { resource, scopeSpans } of sent.resourceSpans) {
        resources.push(attributesOf(resource));
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    api = await ApiApp.start(kind, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  });
  afterAll(async () => {
    await api.close();
    collector.close();
  });

  it('follow a request to its statements, continue the trace of its caller, and carry no values', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const body = { title: 'A secret hall' };
    const made = await api.send('POST', '/api/v1/backend/rooms', {
      token: api.one.admin.token,
      body,
      headers: { traceparent },
    });
    expect(made.status).toBe(201);
    await api.send('GET', '/api/v1/backend/rooms/999999');
    await api.send('GET', '/healthz');
    const find = (name: string) => spans.find((span) => span.name === name);
    await expect.poll(() => find('GET /api/v1/backend/rooms/:id'), { timeout: 20_000 }).toBeDefined();
    const request = find('POST /api/v1/backend/rooms')!;
    expect(request).toMatchObject({ traceId: traceparent.split('-')[1], parentSpanId: traceparent.split('-')[2] });
    expect(attributesOf(request)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/backend/rooms',
      'http.response.status_code': 201,
      'enfilade.organization_id': api.one.id,
      'enfilade.user_id': api.one.admin.id,
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(statements.every(({ traceId }) => traceId === request.traceId)).toBe(true);
    const insert = statements.find(({ name }) => name === 'insert')!;
    expect(attributesOf(insert)).toMatchObject({
      'db.system.name': kind === 'postgres' ? 'postgresql' : 'sqlite',
      'db.query.text': expect.stringContaining('insert into'),
    });
    expect(attributesOf(find('GET /api/v1/backend/rooms/:id')!)['http.response.status_code']).toBe(401);
    expect(text).not.toMatch(/A secret hall|healthz/);
    expect(text).not.toContain(api.one.admin.token);
    expect(resources[0]).toMatchObject({ 'service.name': 'enfilade', 'service.version': expect.stringMatching(/^\d/) });
  });

  it('follow jobs', async () => {
    const job = () => spans.find(({ name }) => name === 'job deliver webhooks');
    await expect.poll(job, { timeout: 20_000 }).toBeDefined();
    const { spanId } = job()!;
    await expect.poll(() => spans.some(({ parentSpanId }) => parentSpanId === spanId), { timeout: 20_000 }).toBe(true);
  });
});
