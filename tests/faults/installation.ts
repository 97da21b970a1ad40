import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '../../src/contract/calls.ts';
import { type Client, createClient } from '../../src/contract/client.ts';
import { StartedServer } from '../harness/started-server.ts';

const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };

/** How many times as long as it should something may take. */
const SLACK = 4;
/** Programs that wait for each processor, on average, from which a machine tells nothing about time. */
const BUSY = 2;

/** Whether other programs use this machine so much that times say nothing about ours. */
export const isBusy = (): boolean => loadavg()[0]! > BUSY * availableParallelism();

/** The milliseconds that a figure is held against which should be below others: figures are printed, and have slack. */
export const withSlack = (milliseconds: number): number => (isBusy() ? Number.POSITIVE_INFINITY : SLACK * milliseconds);

/** A server in a process of its own, with its administrator and one open room in which visitors see each other. */
export interface Installation {
  origin: string;
  folder: string;
  /** Number of its process. */
  pid: number;
  client: Client;
  token(): string;
  /** Where the room is shown, and what a socket into it is opened with. */
  slug: string;
  room: number;
  key: string;
  close(): Promise<void>;
}

/** Starts one on a data folder of its own, with these settings besides. */
export async function startInstallation(environment: Record<string, string> = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-faults-'));
  const server = new StartedServer({
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: LOGIN.password,
    ...environment,
  });
  const origin = await server.address();
  let token = '';
  const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
  await client.users.login({ body: LOGIN });
  const { id: room } = await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } });
  for (let index = 0; index < 30; index++)
    await client.rooms.addElement({ params: { id: room }, body: { element: 'text', name: `Sign ${index}` } });
  const { slug } = await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  const { realtime_api_key: key } = calls.visit.settings.output.parse(await client.visit.settings());
  const close = async () => {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { origin, folder, pid: server.pid, client, token: () => token, slug, room, key, close };
}

/** The figure that so many of all stay below: 0.99 for 99 of 100. */
export function share(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Milliseconds that some work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
