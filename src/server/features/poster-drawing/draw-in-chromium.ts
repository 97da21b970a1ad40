import { constants, setPriority } from 'node:os';
import type { BrowserServer } from 'playwright-core';
import { DRAWING_COOKIE, DRAWING_PATH } from '../../core/secrets/drawing-rights.ts';
import { memoryOfGroup } from './process-memory.ts';

/** Milliseconds that a drawing may take, including the browser's start. */
const MAX_TIME = 90_000;
/** Most bytes of memory of the browser with all its processes. */
const MAX_MEMORY = 1536 * 1024 * 1024;
/** Milliseconds between two checks of its memory. */
const MEMORY_INTERVAL = 500;
/** Most characters of an image as base64. */
const MAX_IMAGE = 12 * 1024 * 1024;
/** The function that the page calls to deliver what it has drawn. */
const DELIVER = 'deliverPoster';
/** Size of the window in CSS pixels. */
const VIEWPORT = { width: 1280, height: 720 };

/** Draws in software on any machine. */
const FLAGS = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-proxy-server',
  '--js-flags=--max-old-space-size=512',
  '--renderer-process-limit=1',
];

/** Why nothing was drawn, as a sentence. */
export class DrawingError extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : String(error));

/**
 * Draws a poster: opens the page that draws in a browser of its own, which reaches nothing but this server and is killed
 * afterwards.
 * @param program Chromium, and whether it uses its own sandbox
 * @param origin of this server, on this machine
 * @param token of the right to draw
 * @param signal stops the drawing at once
 * @returns the image as the page made it
 * @throws DrawingError when nothing was drawn
 */
export async function drawInChromium(
  { program, sandbox }: { program: string; sandbox: boolean },
  { origin, token }: { origin: string; token: string },
  signal: AbortSignal,
): Promise<Buffer> {
  if (signal.aborted) throw new DrawingError('The server is stopping.');
  const { chromium } = await import('playwright-core');
  let server: BrowserServer;
  try {
    server = await chromium.launchServer({
      executablePath: program,
      args: [...FLAGS, `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${new URL(origin).hostname}`],
      chromiumSandbox: sandbox,
      // Not the server's environment, which holds its secrets.
      env: { ...(process.env.PATH && { PATH: process.env.PATH }), LANG: 'C.UTF-8' },
      host: '127.0.0.1',
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: MAX_TIME,
    });
  } catch (error) {
    throw new DrawingError(`Chromium can't be started: ${messageOf(error)}`);
  }
  const { pid } = server.process();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => {});
  const fail = (sentence: string) => reject(new DrawingError(sentence));
  const onAbort = () => fail('The server is stopping.');
  const timer = setTimeout(() => fail(`It took longer than ${MAX_TIME / 1000} s.`), MAX_TIME);
  const watch = setInterval(async () => {
    const bytes = pid === undefined ? 0 : await memoryOfGroup(pid);
    if (bytes > MAX_MEMORY) fail(`It took more than ${MAX_MEMORY / 1024 / 1024} MB of memory.`);
  }, MEMORY_INTERVAL);
  signal.addEventListener('abort', onAbort);
  server.on('close', () => fail('Chromium exited unexpectedly.'));
  const open = async () => {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({ viewport: VIEWPORT });
    page.on('crash', () => fail('The page crashed.'));
    await page.exposeFunction(DELIVER, (image: unknown) => {
      if (typeof image !== 'string') fail('The page drew nothing.');
      else if (image.length > MAX_IMAGE) fail('The image is too large.');
      else resolve(image);
    });
    const cookie = { name: DRAWING_COOKIE, value: token, url: origin, httpOnly: true, sameSite: 'Strict' as const };
    await page.context().addCookies([cookie]);
    await page.goto(origin + DRAWING_PATH, { waitUntil: 'commit' });
  };
  open().catch((error: unknown) => fail(`The page that draws can't be opened (${messageOf(error)}).`));
  try {
    const delivered = await promise;
    if (!delivered.startsWith('data:image/'))
      throw new DrawingError(`The page drew nothing: ${delivered.slice(0, 200)}`);
    return Buffer.from(delivered.slice(delivered.indexOf(',') + 1), 'base64');
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    await server.kill();
  }
}
