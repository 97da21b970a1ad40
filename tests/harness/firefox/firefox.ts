import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Reply } from '../stand-ins/broadcaster.ts';
import { BidiConnection } from './bidi-connection.ts';
import type { FirefoxPrograms } from './find-firefox.ts';
import { FirefoxPage } from './firefox-page.ts';

/** Preferences for WebGL in software, and against connections to other hosts. */
const PREFERENCES: Record<string, boolean | number | string> = {
  'webgl.force-enabled': true,
  'webgl.forbid-software': false,
  'webgl.disable-fail-if-major-performance-caveat': true,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.backup.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.server': 'data:,',
};

/** The first line of a stream that matches. @throws Error if the stream ends first */
async function lineOf(stream: Readable, sought: RegExp): Promise<string> {
  const said: string[] = [];
  for await (const line of createInterface(stream)) {
    const [found] = sought.exec(line) ?? [];
    if (found) return found;
    said.push(line);
  }
  throw new Error(`It ended without ${sought}: ${said.join('\n')}`);
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
}

/** Starts a virtual display. @returns its name */
async function startDisplay(xvfb: string): Promise<{ display: string; program: ChildProcess }> {
  const program = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  return { display: `:${await lineOf(program.stdio[3] as Readable, /\d+/)}`, program };
}

/** An unmodified Firefox, driven over its own protocol, WebDriver BiDi. */
export class Firefox {
  readonly #connection: BidiConnection;
  readonly #end: () => Promise<void>;
  /** The browser's name and version. */
  readonly version: string;

  private constructor(connection: BidiConnection, version: string, end: () => Promise<void>) {
    this.#connection = connection;
    this.version = version;
    this.#end = end;
  }

  /** Starts a browser with a new profile; close it in `afterAll`. */
  static async start({ firefox, xvfb }: FirefoxPrograms): Promise<Firefox> {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-firefox-'));
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    await writeFile(join(folder, 'user.js'), lines.join(''));
    const { display, program: screen } = await startDisplay(xvfb);
    const browser = spawn(firefox, ['--headless', '--remote-debugging-port=0', '--no-remote', '--profile', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DISPLAY: display, HOME: folder, LIBGL_ALWAYS_SOFTWARE: '1' },
    });
    const url = await lineOf(browser.stderr, /ws:\/\/\S+/);
    browser.stderr.resume();
    const connection = await BidiConnection.open(`${url}/session`);
    const { capabilities } = await connection.send<{
      capabilities: { browserName: string; browserVersion: string };
    }>('session.new', { capabilities: {} });
    await connection.send('session.subscribe', { events: ['log.entryAdded'] });
    return new Firefox(connection, `${capabilities.browserName} ${capabilities.browserVersion}`, async () => {
      await connection.send('browser.close', {});
      await ended(browser);
      screen.kill();
      await ended(screen);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Opens a window with its own cookies and storage. */
  async newPage(): Promise<FirefoxPage> {
    const { userContext } = await this.#connection.send<{ userContext: string }>('browser.createUserContext', {});
    const { context } = await this.#connection.send<{ context: string }>('browsingContext.create', {
      type: 'window',
      userContext,
    });
    const page = new FirefoxPage(this.#connection, context);
    await page.resize(640, 400);
    return page;
  }

  /**
   * Intercepts requests to another host.
   * @param hostname such as `stream.example`, over HTTPS
   * @param reply returns the response for a path
   */
  async answer(hostname: string, reply: (path: string) => Reply): Promise<void> {
    this.#connection.listen((method, params) => {
      if (method !== 'network.beforeRequestSent' || params.isBlocked !== true) return;
      const { request, url } = params.request as { request: string; url: string };
      const { status, headers, body } = reply(new URL(url).pathname);
      const answer = {
        request,
        statusCode: status,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value: { type: 'string', value } })),
        body: { type: 'base64', value: Buffer.from(body).toString('base64') },
      };
      // Requests that the page has aborted need no response.
      this.#connection.send('network.provideResponse', answer).catch(() => undefined);
    });
    await this.#connection.send('session.subscribe', { events: ['network.beforeRequestSent'] });
    const urlPatterns = [{ type: 'pattern', protocol: 'https', hostname }];
    await this.#connection.send('network.addIntercept', { phases: ['beforeRequestSent'], urlPatterns });
  }

  close = (): Promise<void> => this.#end();
}
