import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { DRAWING_COOKIE, DRAWING_PATH } from '../../base/secrets/drawing-rights.ts';
import { DevtoolsPipe } from './devtools-pipe.ts';
import { memoryOfGroup } from './process-memory.ts';

/** Milliseconds that a drawing may take, with the start of the browser. */
const LONGEST = 90_000;
/** Most bytes of memory of the browser with all its processes. */
const MOST_MEMORY = 1536 * 1024 * 1024;
/** Milliseconds between two looks at its memory. */
const MEMORY_EVERY = 500;
/** Most characters of an image as base64. */
const MOST_SIGNS = 12 * 1024 * 1024;
/** What the page calls to hand over what it has drawn. */
const DELIVER = 'deliverPoster';

/** A browser for one page of ours that draws in software on any machine, and reaches nothing but this one. */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--hide-scrollbars',
  '--js-flags=--max-old-space-size=512',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--renderer-process-limit=1',
  '--use-mock-keychain',
  '--window-size=1280,720',
];

/** Why nothing was drawn, as a sentence. */
export class DrawingError extends Error {}

/** Ends a browser with all its processes. */
function end(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * Opens the page that draws in a browser of its own, which ends with it.
 * @param program Chromium, and whether it has its own sandbox
 * @param origin of this server, on this machine
 * @param token of the right to draw
 * @param signal ends it at once
 * @returns the image as the page made it
 * @throws DrawingError where nothing was drawn
 */
export async function drawInChromium(
  { program, sandbox }: { program: string; sandbox: boolean },
  { origin, token }: { origin: string; token: string },
  signal: AbortSignal,
): Promise<Buffer> {
  if (signal.aborted) throw new DrawingError('The server is told to stop.');
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-drawing-'));
  // Chromium refuses its sandbox to the administrator of a machine.
  const isSandboxed = sandbox && process.getuid?.() !== 0;
  const flags = [
    ...FLAGS,
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${new URL(origin).hostname}`,
    `--user-data-dir=${folder}`,
    // It starts its processes from one that is sandboxed before, which is of no use without.
    ...(isSandboxed ? [] : ['--no-sandbox', '--no-zygote']),
  ];
  // Nothing of the server's environment, which holds its secrets.
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' };
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, [...flags, 'about:blank'], { cwd: folder, env, detached: true, stdio: [...stdio] });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => {});
  const fail = (sentence: string) => reject(new DrawingError(sentence));
  const stopped = () => fail('The server is told to stop.');
  const ended = new Promise<void>((done) => {
    child.once('error', (error) => {
      fail(`Chromium can't be started: ${error.message}`);
      done();
    });
    child.once('exit', (code, by) => {
      fail(`Chromium ended by itself (${code ?? by}).`);
      done();
    });
  });
  const timer = setTimeout(() => fail(`It took longer than ${LONGEST / 1000} s.`), LONGEST);
  const watch = setInterval(async () => {
    const bytes = child.pid === undefined ? 0 : await memoryOfGroup(child.pid);
    if (bytes > MOST_MEMORY) fail(`It took more than ${MOST_MEMORY / 1024 / 1024} MB of memory.`);
  }, MEMORY_EVERY);
  signal.addEventListener('abort', stopped);
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const [, , , commands, answers] = child.stdio;
    const pipe = new DevtoolsPipe(commands as Duplex, answers as Duplex, (method, { name, payload }) => {
      if (method === 'Inspector.targetCrashed') fail('The page crashed.');
      if (method !== 'Runtime.bindingCalled' || name !== DELIVER || typeof payload !== 'string') return;
      if (payload.length > MOST_SIGNS) fail('The image is too large.');
      else resolve(payload);
    });
    const open = async () => {
      const { targetId } = await pipe.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
      const tell = (method: string, params?: Record<string, unknown>) => pipe.send(method, params, String(sessionId));
      await tell('Inspector.enable');
      await tell('Runtime.enable');
      await tell('Runtime.addBinding', { name: DELIVER });
      await tell('Network.setCookie', {
        name: DRAWING_COOKIE,
        value: token,
        url: origin,
        httpOnly: true,
        sameSite: 'Strict',
      });
      const { errorText } = await tell('Page.navigate', { url: origin + DRAWING_PATH });
      if (errorText) throw new DrawingError(`The page that draws can't be opened (${errorText}).`);
    };
    open().catch(reject);
    const delivered = await promise;
    if (!delivered.startsWith('data:image/'))
      throw new DrawingError(`The page drew nothing: ${delivered.slice(0, 200)}`);
    return Buffer.from(delivered.slice(delivered.indexOf(',') + 1), 'base64');
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', stopped);
    if (child.pid !== undefined) {
      end(child.pid);
      await ended;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
  }
}
