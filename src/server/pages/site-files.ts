import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const ICONS = join(import.meta.dirname, '../../ui');

/** Serves the icons that browsers request at fixed URLs. */
export async function serveSiteFiles(app: FastifyInstance): Promise<void> {
  const files = [
    // Browsers request it along with anything that isn't a page, such as files and API responses.
    { path: '/favicon.ico', type: 'image/svg+xml', content: await readFile(join(ICONS, 'sign.svg')) },
    { path: '/apple-touch-icon.png', type: 'image/png', content: await readFile(join(ICONS, 'touch-icon.png')) },
  ];
  for (const { path, type, content } of files)
    app.get(path, (_request, reply) => reply.header('cache-control', 'public, max-age=86400').type(type).send(content));
}
