import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { calls } from '../../src/contract/calls.ts';
import { type Client, createClient } from '../../src/contract/client.ts';
import { freePort } from '../harness/free-port.ts';
import { Line } from '../harness/line.ts';
import { METRICS_HEADERS } from '../harness/metrics-token.ts';
import { S3StandIn } from '../harness/stand-ins/s3.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase } from '../harness/test-database.ts';

const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };
const SERVERS = 2;

/** Two servers on PostgreSQL, NATS and a bucket, each of which can be taken away; and one open room on them. */
export class Cluster {
  readonly servers: StartedServer[] = [];
  readonly origins: string[] = [];
  readonly #settings: Record<string, string>[] = [];
  readonly #folders: string[] = [];
  database!: Line;
  bucket!: Line;
  token = '';
  room = 0;
  key = '';
  #nats!: ChildProcess;
  #natsPort = 0;
  #storage!: S3StandIn;
  #drop!: () => Promise<void>;

  static async start(): Promise<Cluster> {
    const cluster = new Cluster();
    const { url, drop } = await createDatabase('postgres');
    cluster.#drop = drop;
    cluster.database = await Line.to(Number(new URL(inject('postgres')!).port || 5432));
    cluster.#storage = await new S3StandIn().start();
    cluster.bucket = await Line.to(Number(new URL(cluster.#storage.url).port));
    cluster.#natsPort = await freePort();
    cluster.startNats();
    for (let index = 0; index < SERVERS; index++) {
      const folder = await mkdtemp(join(tmpdir(), 'enfilade-cluster-'));
      cluster.#folders.push(folder);
      cluster.#settings.push({
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: String(await freePort()),
        ADMIN_PASSWORD: LOGIN.password,
        SECRET_KEY: 'k'.repeat(32),
        SHUTDOWN_DELAY: '3',
        DATABASE_URL: cluster.database.through(url!),
        NATS_URL: `nats://127.0.0.1:${cluster.#natsPort}`,
        ...cluster.#storage.settings,
        S3_URL: cluster.bucket.through(cluster.#storage.settings.S3_URL),
      });
      cluster.servers.push(new StartedServer(cluster.#settings[index]!));
      cluster.origins.push(await cluster.servers[index]!.address());
    }
    await cluster.#furnish();
    return cluster;
  }

  async #furnish(): Promise<void> {
    const client = this.client();
    await client.users.login({ body: LOGIN });
    this.room = (await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: this.room } });
    this.key = calls.visit.settings.output.parse(await client.visit.settings()).realtime_api_key;
  }

  /** The typed client of the administrator on one of the servers. */
  client(index = 0): Client {
    return createClient({
      origin: this.origins[index]!,
      token: () => this.token,
      onToken: (value) => {
        this.token = value;
      },
    });
  }

  /** Tells a server to stop, waits until it has ended, and starts another one in its place. */
  async restart(index: number): Promise<number | null> {
    const code = await this.servers[index]!.stop();
    this.servers[index] = new StartedServer(this.#settings[index]!);
    await this.servers[index]!.address();
    return code;
  }

  startNats(): void {
    this.#nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(this.#natsPort)], { stdio: 'ignore' });
  }

  async stopNats(): Promise<void> {
    const ended = once(this.#nats, 'exit');
    this.#nats.kill();
    await ended;
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.kill();
    await this.stopNats();
    for (const line of [this.database, this.bucket]) line.close();
    await this.#storage.stop();
    await this.#drop();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}

/** What `/readyz` says of a server. */
export async function readyOf(origin: string) {
  const answer = await fetch(`${origin}/readyz`);
  const body = (await answer.json()) as {
    status: string;
    parts: Record<string, { state: string; problem: string | null; since: string }>;
  };
  return { ...body, answered: answer.status };
}

/** Everything that is wrong at a server, as it says itself. */
export const problemsOf = async (origin: string): Promise<string[]> =>
  Object.values((await readyOf(origin)).parts).flatMap(({ problem }) => problem ?? []);

/** Lines of `/metrics` that begin so. */
export async function measuresOf(origin: string, ...names: string[]): Promise<string[]> {
  const text = await (await fetch(`${origin}/metrics`, { headers: METRICS_HEADERS })).text();
  return text.split('\n').filter((line) => names.some((name) => line.startsWith(name)));
}
