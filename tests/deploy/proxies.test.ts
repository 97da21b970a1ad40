import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, FormData, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ZipFile } from 'yazl';
import { VISITOR_EDITS_PATH } from '../../src/contract/visitor-edits.ts';
import { freePort } from '../harness/free-port.ts';
import { ROOT, StartedServer } from '../harness/started-server.ts';

const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };
const MEGABYTE = 1024 * 1024;

/** A program in front of the server. */
interface Proxy {
  name: string;
  /** How to tell whether it is installed. */
  version: string[];
  scheme: 'http' | 'https';
  /** Writes its configuration for these ports, and returns the command that runs it. */
  prepare(folder: string, ports: { front: number; back: number }): Promise<{ command: string[]; env?: object }>;
}

const PROXIES: Proxy[] = [
  {
    name: 'nginx',
    version: ['nginx', '-v'],
    scheme: 'https',
    prepare: async (folder, { front, back }) => {
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
      await promisify(execFile)('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate]);
      const own = (await readFile(join(ROOT, 'deploy/nginx.conf'), 'utf8'))
        .replace('127.0.0.1:8080', `127.0.0.1:${back}`)
        .replace(/listen 80;|listen \[::\]:(?:80|443 ssl http2);/g, '')
        .replace(/server \{\s+server_name[^}]*return 301[^}]*\}/, '')
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${front} ssl http2;`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n');
      const main = `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${own}\n}\n`;
      await writeFile(join(folder, 'nginx.conf'), main);
      return { command: ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')] };
    },
  },
  {
    name: 'caddy',
    version: ['caddy', 'version'],
    scheme: 'http',
    prepare: async (folder, { front, back }) => {
      const own = await readFile(join(ROOT, 'deploy/Caddyfile'), 'utf8');
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${own}`);
      return {
        command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
        env: {
          SITE_ADDRESS: `http://localhost:${front}`,
          ENFILADE_UPSTREAM: `127.0.0.1:${back}`,
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
        },
      };
    },
  },
];

function isInstalled({ name, version: [command, ...args] }: Proxy): boolean {
  try {
    execFileSync(command!, args, { stdio: 'ignore' });
    return true;
  } catch {
    console.log(`${name} is not installed, so its configuration is not tried.`);
    return false;
  }
}

/** Whether something listens on a port of this machine. */
const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => resolve(false));
  });

/** A page as an archive of almost 200 MB. */
async function largeArchive(): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('<!doctype html><title>Film</title>'), 'index.html');
  const piece = randomBytes(13 * MEGABYTE);
  for (let index = 0; index < 15; index++) zip.addBuffer(piece, `film-${index}.bin`, { compress: false });
  zip.end();
  return buffer(zip.outputStream);
}

describe.each(PROXIES.filter(isInstalled))('the server behind $name', ({ scheme, prepare }) => {
  let folder: string;
  let server: StartedServer;
  let proxy: ReturnType<typeof spawn>;
  let origin: string;
  let authorization: string;
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, headersTimeout: 120_000 });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers, dispatcher });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-proxy-'));
    const [front, back] = [await freePort(), await freePort()];
    origin = `${scheme}://localhost:${front}`;
    server = new StartedServer({
      DATA_DIR: join(folder, 'data'),
      PORT: String(back),
      PUBLIC_URL: origin,
      TRUSTED_PROXIES: 'loopback',
      ADMIN_PASSWORD: LOGIN.password,
      DEMO: '1',
      LOG_LEVEL: 'info',
    });
    await server.address();
    const { command, env } = await prepare(folder, { front, back });
    proxy = spawn(command[0]!, command.slice(1), { env: { ...process.env, ...env }, stdio: 'pipe' });
    let said = '';
    for (const stream of [proxy.stdout!, proxy.stderr!]) stream.on('data', (text: Buffer) => (said += text));
    for (let tries = 0; !(await listens(front)); tries++) {
      if (tries > 200 || proxy.exitCode !== null) throw new Error(said);
      await wait(100);
    }
    const answer = await fetch(`${origin}/api/v1/backend/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(LOGIN),
      dispatcher,
    });
    authorization = `Bearer ${((await answer.json()) as { token: string }).token}`;
  });
  afterAll(async () => {
    proxy.kill();
    await server.stop();
    await dispatcher.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('serves pages, to visitors with addresses of their own, and not its metrics', async () => {
    const page = await get('/gallery', { 'x-forwarded-for': '203.0.113.9' });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('The Long Gallery')]);
    expect((await get('/metrics')).status).toBe(403);
    // A visitor can't choose the address that the server logs and limits.
    const requests = server.lines().filter(({ req }) => req?.url === '/gallery');
    expect(requests.map(({ req }) => req.remoteAddress)).not.toContain('203.0.113.9');
  });

  it('passes ranges of files', async () => {
    const picture = await readFile(join(ROOT, 'fixtures/media/panorama-poster.jpg'));
    const form = new FormData();
    form.set('file', new File([picture], 'picture.jpg'));
    const sent = await fetch(`${origin}/api/v1/backend/media`, {
      method: 'POST',
      headers: { authorization },
      body: form,
      dispatcher,
    });
    const { data } = (await sent.json()) as { data: { url: string } };
    const part = await get(data.url, { range: 'bytes=10-19' });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  });

  it('passes WebSockets', async () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${VISITOR_EDITS_PATH}`, {
      headers: { origin },
      rejectUnauthorized: false,
    });
    await new Promise((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    socket.close();
  });

  it('passes an upload of almost 200 MB, and refuses a larger one', { timeout: 180_000 }, async () => {
    const archive = await largeArchive();
    expect(archive.length).toBeGreaterThan(190 * MEGABYTE);
    const form = new FormData();
    form.set('file', new File([new Uint8Array(archive)], 'film.zip'));
    const headers = { authorization };
    const sent = await fetch(`${origin}/api/v1/backend/media`, { method: 'POST', headers, body: form, dispatcher });
    expect([sent.status, await sent.json()]).toEqual([201, expect.anything()]);
    const length = String(300 * MEGABYTE);
    const large = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(MEGABYTE)),
    });
    const type = 'multipart/form-data; boundary=x';
    const refused = await fetch(`${origin}/api/v1/backend/media`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type, 'content-length': length },
      body: large,
      duplex: 'half',
      dispatcher,
    }).then(
      ({ status }) => status,
      // The proxy closes the connection on a body that it refuses.
      () => 413,
    );
    expect(refused).toBe(413);
  });
});
