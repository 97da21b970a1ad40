import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../../core/http/caller.ts';
import { type OnEnd, observers } from '../../core/observers.ts';

/** Milliseconds between exports, and after which an export is given up. */
const EXPORT_EVERY = 2000;
const EXPORT_TIMEOUT = 5000;
/** Characters of a statement that are recorded. */
const MAX_STATEMENT_LENGTH = 2000;
/** Routes that monitoring calls all the time. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const PARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

/** The caller's trace, which a request continues. */
function parentOf({ headers }: FastifyRequest): Context {
  const { traceId, spanId, flags } = PARENT.exec(String(headers.traceparent))?.groups ?? {};
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
}

/** What a server is traced with. */
interface TracingPlan {
  /** Collector's base URL. */
  endpoint: string;
  /** Version of the program. */
  version: string;
  database: 'sqlite' | 'postgresql';
}

/** Sends a span per request and job, with its database statements as children, to a collector. Values are not recorded. */
export function traceServer(app: FastifyInstance, { endpoint, version, database }: TracingPlan): void {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'enfilade', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_EVERY })],
  });
  const tracer = provider.getTracer('enfilade', version);
  const current = new AsyncLocalStorage<Span>();
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.has(request.routeOptions.url ?? '')) return done();
    const { method, routeOptions } = request;
    const route = routeOptions.url;
    const attributes = { 'http.request.method': method, ...(route && { 'http.route': route }) };
    const name = route ? `${method} ${route}` : method;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentOf(request));
    spans.set(request, span);
    current.run(span, done);
  });
  // Body parsing resumes in the connection's async context.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) current.run(span, done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request);
    if (!span) return;
    const { userId, organizationId } = callerOf(request);
    span.setAttribute('http.response.status_code', statusCode);
    span.setAttribute('enfilade.request_id', request.id);
    if (organizationId !== null) span.setAttribute('enfilade.organization_id', organizationId);
    if (userId !== null) span.setAttribute('enfilade.user_id', userId);
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });

  const own = {
    statement: (sql: string): OnEnd => {
      const parent = current.getStore();
      // A statement outside of requests and jobs belongs to nothing.
      if (!parent) return () => {};
      const attributes = { 'db.system.name': database, 'db.query.text': sql.slice(0, MAX_STATEMENT_LENGTH) };
      const name = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'statement';
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, parent));
      return (error) => {
        if (error !== undefined) fail(span, error);
        span.end();
      };
    },
    job: async <T>(name: string, run: () => Promise<T>): Promise<T> => {
      const span = tracer.startSpan(`job ${name}`, { kind: SpanKind.INTERNAL }, ROOT_CONTEXT);
      try {
        return await current.run(span, run);
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
  };
  observers.current = own;
  app.addHook('onClose', async () => {
    if (observers.current === own) observers.current = null;
    // A collector that is away must not delay the end.
    await provider.shutdown().catch(() => {});
  });
}
