import { access, constants as fileModes } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { BrowserServer } from 'playwright-core';
import { memoryOfGroup } from '../../core/files/process-use.ts';
import { DRAWING_PATH, OWN_COOKIE } from '../../core/secrets/own-rights.ts';

/** Drawing timeout in milliseconds, including the browser's start. */
const MAX_TIME = 90_000;
/** Memory limit in bytes of all browser processes. */
const MAX_MEMORY = 1536 * 1024 * 1024;
/** Milliseconds between two memory checks. */
const MEMORY_INTERVAL = 500;
/** Limit on the base64 length of an image. */
const MAX_IMAGE = 12 * 1024 * 1024;
/** The function that the page calls with the drawn image. */
const DELIVER = 'deliverPoster';
/** Viewport in CSS pixels. */
const VIEWPORT = { width: 1280, height: 720 };

/** Software rendering works on any machine. */
const FLAGS = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-proxy-server',
  '--js-flags=--max-old-space-size=512',
  '--renderer-process-limit=1',
];

/** The reason for a failed drawing. */
export class DrawingError extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : String(error));

/**
 * Draws a poster: opens the drawing page in a new browser that can reach only this server and is killed
 * afterwards.
 * @param program Chromium and its sandbox setting
 * @param origin local URL of this server
 * @param token grants the right to draw
 * @param signal aborts the drawing
 * @returns the image from the page
 * @throws DrawingError if nothing was drawn
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
      // The server's environment contains secrets.
      env: { ...(process.env.PATH && { PATH: process.env.PATH }), LANG: 'C.UTF-8' },
      host: '127.0.0.1',
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: MAX_TIME,
    });
  } catch (error) {
    throw new DrawingError(`Chromium couldn't be started: ${messageOf(error)}`);
  }
  const { pid } = server.process();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => {});
  const fail = (sentence: string) => reject(new DrawingError(sentence));
  const onAbort = () => fail('The server is stopping.');
  const timer = setTimeout(() => fail(`Rendering took longer than ${MAX_TIME / 1000} s.`), MAX_TIME);
  const watch = setInterval(async () => {
    const bytes = pid === undefined ? 0 : await memoryOfGroup(pid);
    if (bytes > MAX_MEMORY) fail(`Rendering took more than ${MAX_MEMORY / 1024 / 1024} MB of memory.`);
  }, MEMORY_INTERVAL);
  signal.addEventListener('abort', onAbort);
  server.on('close', () => fail('Chromium exited unexpectedly.'));
  const open = async () => {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({ viewport: VIEWPORT });
    page.on('crash', () => fail('The page crashed.'));
    await page.exposeFunction(DELIVER, (image: unknown) => {
      if (typeof image !== 'string') fail('The page rendered nothing.');
      else if (image.length > MAX_IMAGE) fail('The image is too large.');
      else resolve(image);
    });
    const cookie = { name: OWN_COOKIE, value: token, url: origin, httpOnly: true, sameSite: 'Strict' as const };
    await page.context().addCookies([cookie]);
    await page.goto(origin + DRAWING_PATH, { waitUntil: 'commit' });
  };
  open().catch((error: unknown) => fail(`The rendering page can't be opened (${messageOf(error)}).`));
  try {
    const delivered = await promise;
    if (!delivered.startsWith('data:image/'))
      throw new DrawingError(`The page rendered nothing: ${delivered.slice(0, 200)}`);
    return Buffer.from(delivered.slice(delivered.indexOf(',') + 1), 'base64');
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    await server.kill();
  }
}

/** Common locations of Chromium and Chrome. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Value of the setting that disables Chromium. */
const OFF = 'off';

/** An executable Chromium, or the reason why there is none. */
export type FoundChromium = { program: string } | { program: null; problem: string };

const canRun = (path: string): Promise<boolean> =>
  access(path, fileModes.X_OK).then(
    () => true,
    () => false,
  );

const AS_ROOT =
  'Posters are rendered only by the editor: the server runs as root, for which Chromium has no sandbox. Run it as another user, or set CHROMIUM_SANDBOX=0 if only trusted users edit spaces.';

/** Whether the process runs as root, as which Chromium refuses to use its sandbox. */
const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Finds Chromium for drawing posters.
 * @param setting server setting; undefined to search
 * @param needsSandbox whether the sandbox is required
 */
export async function findChromium(setting: string | undefined, needsSandbox: boolean): Promise<FoundChromium> {
  const found = await findProgram(setting);
  return found.program !== null && needsSandbox && isRoot() ? { program: null, problem: AS_ROOT } : found;
}

async function findProgram(setting: string | undefined): Promise<FoundChromium> {
  if (setting === OFF) return { program: null, problem: 'Posters are rendered only by the editor: CHROMIUM is off.' };
  if (setting !== undefined)
    return (await canRun(setting))
      ? { program: setting }
      : { program: null, problem: 'Posters are rendered only by the editor: CHROMIUM is not an executable program.' };
  for (const place of USUAL_PLACES) if (await canRun(place)) return { program: place };
  return { program: null, problem: 'Posters are rendered only by the editor: Chromium was not found.' };
}
