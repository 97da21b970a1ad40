import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const SIGN = join(import.meta.dirname, '../../ui/sign.svg');

/** Side of the touch icon in pixels, of the sign on it, and its background. */
const TOUCH_ICON = { side: 180, sign: 116, background: '#14171c' };

/** Rooms say themselves in their pages whether search engines may list them. */
const ROBOTS = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', 'Disallow: /embed/', ''].join('\n');

/** Draws the icon of a page on a phone's home screen. */
async function drawTouchIcon(sign: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { side, sign: inner, background } = TOUCH_ICON;
  const margin = (side - inner) / 2;
  return sharp(sign, { density: 300 })
    .resize(inner, inner)
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
    .flatten({ background })
    .png()
    .toBuffer();
}

/** Serves the files that browsers and search engines request at fixed URLs: icons and `robots.txt`. */
export async function serveSiteFiles(app: FastifyInstance): Promise<void> {
  const sign = await readFile(SIGN);
  let touchIcon: Promise<Buffer> | undefined;
  const daily = { 'cache-control': 'public, max-age=86400' };
  // Browsers request it along with anything that isn't a page, such as files and API responses.
  app.get('/favicon.ico', (_request, reply) => reply.headers(daily).type('image/svg+xml').send(sign));
  app.get('/apple-touch-icon.png', async (_request, reply) => {
    touchIcon ??= drawTouchIcon(sign);
    return reply
      .headers(daily)
      .type('image/png')
      .send(await touchIcon);
  });
  app.get('/robots.txt', (_request, reply) => reply.headers(daily).type('text/plain; charset=utf-8').send(ROBOTS));
}
