import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../src/contract/client.ts';
import { freePort } from '../../harness/free-port.ts';
import { findPostgres, runOn } from '../../harness/postgres.ts';
import { StartedServer } from '../../harness/started-server.ts';
import { furnishHall, type Hall } from './crowd.ts';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

/** Reason why two servers can't be measured on this machine; undefined if they can. */
export async function whyNoTwoServers(): Promise<string | undefined> {
  const misses = [
    (await findPostgres()) === null && 'PostgreSQL',
    spawnSync('nats-server', ['--version']).status !== 0 && 'nats-server',
  ].filter(Boolean);
  return misses.length > 0 ? `this machine has no ${misses.join(' and no ')}` : undefined;
}

/** Runs a function with two servers on PostgreSQL and NATS. */
export async function onTwoServers<T>(run: (hall: Hall) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const base = (await findPostgres())!;
  const name = `enfilade_bench_${randomUUID().replaceAll('-', '')}`;
  await runOn(base, `create database ${name} template template0`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const port = await freePort();
  const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const servers: StartedServer[] = [];
  try {
    const origins: string[] = [];
    for (let index = 0; index < 2; index++) {
      const server = new StartedServer({
        DATA_DIR: folder,
        DATABASE_URL: url.href,
        NATS_URL: `nats://127.0.0.1:${port}`,
        ADMIN_PASSWORD: ADMIN.password,
        SOCKETS_PER_ADDRESS: '100000',
      });
      servers.push(server);
      origins.push(await server.address());
    }
    let token = '';
    const client = createClient({ origin: origins[0]!, token: () => token, onToken: (value) => (token = value) });
    await client.users.login({ body: ADMIN });
    return await run({ origins, token, ...(await furnishHall(client)) });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    nats.kill();
    await runOn(base, `drop database if exists ${name} with (force)`);
    await rm(folder, { recursive: true, force: true });
  }
}
