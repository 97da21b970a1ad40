import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resolve } from '../../../src/server/providers/address-guard.ts';
import { GuardedClient, MAX_FETCHED_BYTES, TOTAL_TIME } from '../../../src/server/providers/guarded-client.ts';
import { refused } from '../../harness/api-app.ts';

/** Spellings of hosts that are not on the public internet. */
const PRIVATE_HOSTS = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.0.0.1', '0x7f.1'],
  ...['017700000001', '0177.0.0.1', '0177.1', '00000177.0.0.1', '127.0.0.1.', '0', '0.0.0.0', '00.0x0.0'],
  ...['10.0.0.1', '012.0.0.1', '0xa000001', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1', '3232235521'],
  ...['192.168.1', '100.64.0.1', '169.254.1.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376'],
  ...['198.18.0.1', '192.0.0.8', '192.0.2.1', '203.0.113.7', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:a00:1]'],
  ...['[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]'],
  ...['[2002:a9fe:a9fe::1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[fe80::1]', '[fec0::1]', '[fc00::1]'],
  ...['[fd00:ec2::254]', '[ff02::1]', '[100::1]', '[2001:db8::1]', '[5f00::1]'],
  ...['%31%32%37.0.0.1', '①②⑦.0.0.1', '127。0。0。1', 'ⓛocalhost', 'localhost', 'LOCALHOST', 'localhost.'],
  ...['metadata.google.internal', 'private.example', 'mixed.example', 'mapped.example', 'none.example'],
];

/** Addresses that are no web addresses, or say more than one. */
const WRONG_ADDRESSES = [
  ...['file:///etc/passwd', 'file://localhost/etc/passwd', 'ftp://example.com/', 'gopher://example.com/', 'data:,x'],
  ...['javascript:alert(1)', 'http://user@example.com/', 'http://user:password@example.com/', 'http://', 'x', ''],
  ...['http://exa mple.com/', 'http://[::1', 'http://127.0.0.1:99999/', '//example.com/', 'unix:/var/run/docker.sock'],
];

const NAMES: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'private.example': ['10.0.0.7'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'none.example': [],
};
const resolve: Resolve = async (host) => {
  const addresses = NAMES[host];
  if (!addresses) throw new Error(`ENOTFOUND ${host}`);
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const servers: Server[] = [];
async function listen(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(port, host, done));
  return (server.address() as AddressInfo).port;
}

describe('the client for addresses that people enter', () => {
  let hits = 0;
  let trap: number;
  beforeAll(async () => {
    trap = await listen((_, response) => {
      hits++;
      response.end('secret');
    }, '::');
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const client = (...allowed: string[]) => new GuardedClient({ resolve, allowed });
  const get = (address: string, ...allowed: string[]) => client(...allowed).get(address, '*/*', 'address');
  const sentence = async (attempt: Promise<unknown>) => {
    const { status, code, msg } = await refused(attempt);
    expect([status, code, Object.keys(msg)]).toEqual([422, 'invalid', ['address']]);
    return msg.address![0];
  };

  it('reads what is allowed, with its type and address', async () => {
    const port = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(gzipSync('hello'));
    });
    const found = await get(`http://localhost:${port}/a`, `127.0.0.1:${port}`, `::1:${port}`);
    expect([found.body.toString(), found.type, found.url]).toEqual([
      'hello',
      'text/plain',
      `http://localhost:${port}/a`,
    ]);
  });

  it(`security 41: ${PRIVATE_HOSTS.length} spellings of private hosts are refused without a connection`, async () => {
    expect(new Set(PRIVATE_HOSTS).size).toBeGreaterThanOrEqual(60);
    for (const host of PRIVATE_HOSTS)
      expect(await sentence(get(`http://${host}:${trap}/`)), host).toMatch(/public IP address/);
    expect(hits).toBe(0);
    const { body } = await get(`http://127.0.0.1:${trap}/`, `127.0.0.1:${trap}`);
    expect([body.toString(), hits]).toEqual(['secret', 1]);
    hits = 0;
  });

  it(`security 41: ${WRONG_ADDRESSES.length} addresses that are none, or carry a user, are refused`, async () => {
    for (const address of WRONG_ADDRESSES) expect(await sentence(get(address)), address).toMatch(/public IP address/);
  });

  it('security 42: each redirect is checked, and the fourth is not followed', async () => {
    const port: number = await listen((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` });
      response.end('there');
    });
    const own = `127.0.0.1:${port}`;
    expect((await get(`http://${own}/3`, own)).body.toString()).toBe('there');
    expect(await sentence(get(`http://${own}/4`, own))).toMatch(/more than 3 times/);
    const targets = [
      `http://127.0.0.1:${trap}/`,
      `http://localhost:${trap}/`,
      `//2130706433:${trap}/`,
      `http://[::ffff:7f00:1]:${trap}/`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      `http://user@127.0.0.1:${port}/0`,
    ];
    for (const status of [301, 302, 303, 307, 308])
      for (const target of targets) {
        const from = await listen((_, response) => response.writeHead(status, { location: target }).end());
        expect(await sentence(get(`http://127.0.0.1:${from}/`, `127.0.0.1:${from}`)), target).toMatch(
          /public IP address/,
        );
      }
    expect(hits).toBe(0);
  });

  it('security 42: a name is connected to by the address that was checked, asked for once for each connection', async () => {
    let asked = 0;
    const port = await listen((_, response) => response.end('checked'));
    await listen(
      (_, response) => {
        hits++;
        response.end('rebound');
      },
      '127.0.0.2',
      port,
    );
    const rebinding: Resolve = async () => [{ address: asked++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    const guarded = new GuardedClient({ resolve: rebinding, allowed: [`127.0.0.1:${port}`] });
    const attempt = () => guarded.get(`http://rebinding.example:${port}/`, '*/*', 'address');
    expect((await attempt()).body.toString()).toBe('checked');
    expect(asked).toBe(1);
    expect(await sentence(attempt())).toMatch(/public IP address/);
    expect([asked, hits]).toEqual([2, 0]);
  });

  it('security 43: a body of 1 GB is cut at 10 MB', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const port = await listen((_, response) => {
      const write = () => {
        while (sent < 1024 && !response.destroyed) {
          sent++;
          if (!response.write(chunk)) return response.once('drain', write);
        }
        return response.end();
      };
      write();
    });
    expect(await sentence(get(`http://127.0.0.1:${port}/`, `127.0.0.1:${port}`))).toMatch(/larger than 10 MB/);
    expect(sent).toBeLessThan(64);
  });

  it('security 43: a small body that unpacks to a huge one is cut at 10 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(500 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(MAX_FETCHED_BYTES / 10);
    const port = await listen((request, response) => {
      const encoding = request.url === '/twice' ? 'gzip, gzip' : request.url === '/odd' ? 'zstd' : 'gzip';
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    const own = `127.0.0.1:${port}`;
    const before = process.memoryUsage().rss;
    expect(await sentence(get(`http://${own}/`, own))).toMatch(/larger than 10 MB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    for (const path of ['twice', 'odd'])
      expect(await sentence(get(`http://${own}/${path}`, own))).toMatch(/couldn't be fetched/);
  });

  it('security 43: a byte now and then, in the head or in the body, is cut when the time is over, after 10 seconds', async () => {
    expect(TOTAL_TIME).toBe(10_000);
    const drip = (write: () => boolean) => {
      const timer = setInterval(() => write() || clearInterval(timer), 100);
    };
    const body = await listen((_, response) => {
      response.flushHeaders();
      drip(() => !response.destroyed && response.write('x'));
    });
    const head = await listen((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\nx: ');
      drip(() => !request.socket.destroyed && request.socket.write('x'));
    });
    const silent = await listen(() => {});
    await Promise.all(
      [body, head, silent].map(async (port) => {
        const hurried = new GuardedClient({ resolve, allowed: [`127.0.0.1:${port}`], time: TOTAL_TIME / 10 });
        const attempt = hurried.get(`http://127.0.0.1:${port}/`, '*/*', 'address');
        expect(await sentence(attempt)).toMatch(/timed out after 1 seconds/);
      }),
    );
  });

  it('says so when an answer is an error, a damaged one, or none', async () => {
    const port = await listen((request, response) => {
      if (request.url === '/cut') request.socket.destroy();
      else if (request.url === '/damaged') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
      else response.writeHead(404).end();
    });
    const own = `127.0.0.1:${port}`;
    expect(await sentence(get(`http://${own}/`, own))).toMatch(/404/);
    expect(await sentence(get(`http://${own}/cut`, own))).toMatch(/couldn't be fetched/);
    expect(await sentence(get(`http://${own}/damaged`, own))).toMatch(/couldn't be fetched/);
    expect(await sentence(get(`http://unknown.example:${port}/`))).toMatch(/couldn't be fetched/);
  });
});
