import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { DRAWING_PATH, type OwnRights } from '../core/secrets/own-rights.ts';
import { BuiltPage, fillPage } from './built-page.ts';

/** The page connects only to this server: posters omit embedded sites. */
const POLICY = [
  "default-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify default',
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self' blob: data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const OPENING = Buffer.from('<script type="application/json" id="drawing">');
const CLOSING = Buffer.from('</script>');

/** Serves the page that draws a poster, only to the browser that this server starts. */
export function serveDrawingPage(app: FastifyInstance, ownRights: OwnRights, dist: string): void {
  const page = new BuiltPage(join(dist, 'editor/poster/index.html'));
  app.get(DRAWING_PATH, async (request, reply) => {
    const right = ownRights.of(request);
    const built = right?.data && (await page.read());
    if (!built) throw new ApiError('not_found');
    reply.headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });
    const parts = fillPage<never>(built, { data: [OPENING, right.data!, CLOSING] });
    return reply.type('text/html; charset=utf-8').send(Buffer.concat(parts));
  });
}
