import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../contract/entities.ts';
import { type House, VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import type { Clock } from '../core/clock.ts';
import { scriptJson } from '../core/html/escape.ts';
import { timestamps } from '../features/rooms/read-room.ts';
import type { Visited } from '../features/visits/service.ts';
import { BuiltPage } from './built-page.ts';

/** What a page carries for its scripts, as an element of the page. A room's bytes go in as they are kept. */
export function visitScript(
  settings: Settings,
  { endpoint, needsCode, problem }: Visited,
  preview: string | null,
  house: House | null,
  clock: Clock,
): Buffer[] {
  const data = scriptJson({ settings, needsCode, problem, preview, house } satisfies Omit<VisitData, 'endpoint'>);
  const opening = `<script type="application/json" id="${VISIT_DATA_ID}">${data.slice(0, -1)},"endpoint":`;
  if (!endpoint) return [Buffer.from(`${opening}null}</script>`)];
  const fields = scriptJson({ ...endpoint.fields, current_time: clock.now() / 1000 }).slice(0, -1);
  if (!endpoint.room) return [Buffer.from(`${opening}${fields},"room":null}}</script>`)];
  const room = scriptJson({ ...timestamps(clock), tag: endpoint.room.tag }).slice(0, -1);
  return [Buffer.from(`${opening}${fields},"room":${room},`), endpoint.room.bytes, Buffer.from('}}</script>')];
}

/**
 * Serves the script with which other sites drive a room. Its address never changes, so browsers ask each time whether
 * the script has; and any site may load it.
 * @param file path of the built script
 */
export function serveEmbedScript(app: FastifyInstance, file: string): void {
  const built = new BuiltPage(file);
  app.get('/embed.js', async (request, reply) => {
    const script = (await built.read())?.text ?? null;
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    if (script === null) return reply.code(503).header('cache-control', 'no-store').send();
    const tag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"`;
    reply.header('cache-control', 'no-cache').header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}
