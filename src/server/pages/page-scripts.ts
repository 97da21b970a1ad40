import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../contract/entities.ts';
import { type House, VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import type { Clock } from '../core/clock.ts';
import { scriptJson } from '../core/html/escape.ts';
import { timestamps } from '../features/rooms/read-room.ts';
import type { Visited } from '../features/visits/read-visit.ts';
import { BuiltPage } from './built-page.ts';

/** Places of the server's clock in a page's data. */
export type ClockSlot = 'current_time' | 'timestamps';

/** The script element with a page's data: bytes, and slots for the clock of each response. */
export function visitScript(
  settings: Settings,
  { endpoint, needsCode, problem }: Visited,
  preview: string | null,
  house: House | null,
): (Buffer | ClockSlot)[] {
  const data = scriptJson({ settings, needsCode, problem, preview, house } satisfies Omit<VisitData, 'endpoint'>);
  const opening = `<script type="application/json" id="${VISIT_DATA_ID}">${data.slice(0, -1)},"endpoint":`;
  if (!endpoint) return [Buffer.from(`${opening}null}</script>`)];
  const { fields, room } = endpoint;
  const front = Buffer.from(`${opening}${scriptJson(fields).slice(0, -1)},"current_time":`);
  if (!room) return [front, 'current_time', Buffer.from(',"room":null}}</script>')];
  const tag = Buffer.from(`,"tag":${scriptJson(room.tag)},`);
  return [front, 'current_time', Buffer.from(',"room":{'), 'timestamps', tag, room.bytes, Buffer.from('}}</script>')];
}

/** The clock in a slot, as JSON. */
export const clockAt = (slot: ClockSlot, clock: Clock): string =>
  slot === 'current_time' ? String(clock.now() / 1000) : JSON.stringify(timestamps(clock)).slice(1, -1);

/**
 * Serves a script whose URL never changes, so that browsers revalidate it each time.
 * @param path its URL path
 * @param file path of the built script
 * @param isShared whether other sites may load it
 */
export function serveScript(app: FastifyInstance, path: string, file: string, isShared: boolean): void {
  const built = new BuiltPage(file);
  app.get(path, async (request, reply) => {
    const script = (await built.read())?.text ?? null;
    if (isShared)
      reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    if (script === null) return reply.code(503).header('cache-control', 'no-store').send();
    const tag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"`;
    reply.header('cache-control', 'no-cache').header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}
