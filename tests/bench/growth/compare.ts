import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Client, createClient } from '../../../src/contract/client.ts';
import { type Figure, inFolder, type Outcomes, type Scope } from '../bench.ts';
import { furnishHall } from '../editing/crowd.ts';
import { cpuOf, type ServerProcess, startServer } from '../server-process.ts';
import { growthOf } from './growth-of.ts';

/** Sizes by row, the number of operations of which the mean is taken, and of passes. */
const SIZES = {
  full: {
    edit: [100, 1000, 10_000, 20_000],
    list: [100, 10_000, 100_000],
    visit: [10, 5000],
    tick: [1000, 10_000, 100_000],
    operations: 200,
    passes: 4,
  },
  quick: {
    edit: [100, 1000, 5000],
    list: [100, 10_000, 30_000],
    visit: [10, 500],
    tick: [1000, 10_000, 100_000],
    operations: 80,
    passes: 3,
  },
} as const;

/** Access tokens per call. */
const AT_ONCE = 10_000;
/** Share of the elements that move in a tick: one in this many. */
const MOVING = 100;

interface Server extends ServerProcess {
  client: Client;
  /** Number of operations per measurement, and of passes over all sizes. */
  operations: number;
  passes: number;
}

type Operation = (index: number) => Promise<unknown>;

/** Microseconds of CPU time of the server per operation. */
async function costOf(server: Server, operate: Operation): Promise<number> {
  const before = await cpuOf(server);
  for (let index = 0; index < server.operations; index++) await operate(index);
  return (((await cpuOf(server)) - before) * 1e6) / server.operations;
}

/**
 * Measures an operation at every size. The least of several passes counts, because compiling and collecting garbage
 * only add; the first pass warms up.
 */
async function growth(server: Server, sizes: readonly number[], operations: readonly Operation[]): Promise<Figure> {
  const costs = sizes.map(() => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass < server.passes; pass++)
    for (const [at, operate] of operations.entries()) {
      const cost = await costOf(server, operate);
      if (pass > 0) costs[at] = Math.min(costs[at]!, cost);
    }
  return figureOf(sizes, costs, 'µs');
}

const figureOf = (sizes: readonly number[], costs: readonly number[], unit: string): Figure => ({
  value: growthOf(sizes, costs),
  detail: `${unit}: ${sizes.map((size, at) => `${size.toLocaleString('en')}: ${costs[at]!.toFixed(0)}`).join(' · ')}`,
});

/** An edit in rooms of different sizes. */
async function edits(server: Server, sizes: readonly number[]): Promise<Figure> {
  const { client } = server;
  const operations: Operation[] = [];
  for (const size of sizes) {
    const { room, first } = await furnishHall(client, size);
    let mutation = 1;
    operations.push((index) => {
      const id = first + (index % size);
      const commands = [{ type: 'element.update' as const, id, fields: { position_x: mutation } }];
      const body = { client: 'growth', mutation: mutation++, commands, origin: 'editor' as const };
      return client.rooms.commit({ params: { id: room }, body });
    });
  }
  return growth(server, sizes, operations);
}

/** A page of access tokens in structures with different numbers of them. */
async function lists(server: Server, sizes: readonly number[]): Promise<Figure> {
  const { client } = server;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Store' } });
  const operations: Operation[] = [];
  for (const size of sizes) {
    const { id } = await client.endpoints.create({ body: { name: `Store ${size}`, room_id, is_protected: true } });
    for (let made = 0; made < size; made += AT_ONCE)
      await client.accessTokens.createMany({
        body: { endpoint_id: id, count: Math.min(AT_ONCE, size - made), length: 16 },
      });
    operations.push(() => client.accessTokens.list({ query: { endpoint_id: id } }));
  }
  return growth(server, sizes, operations);
}

/** A visit to one of ten public structures, after others were added. */
async function visits(server: Server, sizes: readonly number[]): Promise<Figure> {
  const { client, said } = server;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Hall' } });
  const visit: Operation = async (index) => {
    const response = await fetch(`${said.origin}/open-${index % sizes[0]!}`);
    if (!response.ok) throw new Error(`A visit was answered with ${response.status}.`);
    await response.text();
  };
  const costs: number[] = [];
  let made = 0;
  for (const size of sizes) {
    for (; made < size; made++) await client.endpoints.create({ body: { name: `Open ${made}`, room_id } });
    await costOf(server, visit);
    const passes = [await costOf(server, visit), await costOf(server, visit), await costOf(server, visit)];
    costs.push(Math.min(...passes));
  }
  return figureOf(sizes, costs, 'µs');
}

/** Nanoseconds of a tick per moving element. */
function ticks(sizes: readonly number[], rounds: number): Figure {
  const script = join(import.meta.dirname, '../scene-tick/measure.ts');
  const measure = (size: number): number => {
    const words = [script, 'scene core', String(size), 'few'];
    const { nanoseconds } = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
    return nanoseconds / (size / MOVING);
  };
  const costs = sizes.map((size) => Math.min(...Array.from({ length: rounds }, () => measure(size))));
  return figureOf(sizes, costs, 'ns');
}

/** Measures how operations that should not depend on the amount of other content grow with it. */
export const measureGrowth = ({ rounds, isQuick, wants }: Scope): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const { edit, list, visit, tick, operations, passes } = isQuick ? SIZES.quick : SIZES.full;
    const outcomes: Outcomes = {};
    if (wants('growth tick')) outcomes['growth tick'] = ticks(tick, rounds);
    if (!['growth edit', 'growth list', 'growth visit'].some(wants)) return outcomes;
    const started = await startServer(join(import.meta.dirname, 'serve-enfilade.ts'), folder);
    const { origin, token } = started.said;
    const client = createClient({ origin: origin!, token: () => token!, timeout: 120_000 });
    const server: Server = { ...started, client, operations, passes };
    try {
      if (wants('growth edit')) outcomes['growth edit'] = await edits(server, edit);
      if (wants('growth visit')) outcomes['growth visit'] = await visits(server, visit);
      if (wants('growth list')) outcomes['growth list'] = await lists(server, list);
      return outcomes;
    } finally {
      started.child.kill('SIGKILL');
    }
  });
