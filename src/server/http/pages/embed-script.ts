import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { BuiltPage } from './built-page.ts';

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
