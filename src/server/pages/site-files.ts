import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const ICONS = join(import.meta.dirname, '../../ui');

/** Each page says itself whether search engines may list it. */
const ROBOTS = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', 'Disallow: /embed/', ''].join('\n');

/** Serves the files that browsers and search engines request at fixed URLs: icons and `robots.txt`. */
export async function serveSiteFiles(app: FastifyInstance): Promise<void> {
  const files = [
    // Browsers request it along with anything that isn't a page, such as files and API responses.
    { path: '/favicon.ico', type: 'image/svg+xml', content: await readFile(join(ICONS, 'sign.svg')) },
    { path: '/apple-touch-icon.png', type: 'image/png', content: await readFile(join(ICONS, 'touch-icon.png')) },
    { path: '/robots.txt', type: 'text/plain; charset=utf-8', content: ROBOTS },
  ];
  for (const { path, type, content } of files)
    app.get(path, (_request, reply) => reply.header('cache-control', 'public, max-age=86400').type(type).send(content));
}
