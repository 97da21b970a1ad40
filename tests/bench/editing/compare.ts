import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf, median, startServer } from '../server-process.ts';
import { measureCanvas } from './canvas.ts';
import { EDITORS, EDITS, ELEMENTS, type Hall, type Latency, measureCrowd } from './crowd.ts';
import { onTwoServers, whyNoTwoServers } from './two-servers.ts';

/**
 * Maximum milliseconds for the 95th percentile of edits to reach another editor's socket, and its canvas; CPU time of an
 * edit compared with a bare transaction; and its growth in a space with ten times as many elements.
 */
const TARGET = { socket: 150, canvas: 250, cost: 15, growth: 1.2 } as const;
/** Numbers of elements among which the growth is measured. */
const SIZES = [100, 20_000] as const;

const scriptOf = (name: string) => join(import.meta.dirname, name);

async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface OneServer {
  socket: Latency;
  /** Microseconds of CPU time of the server per edit. */
  cost: number;
}

/** Measures a space of some elements on one server. @param measureMore measures something else in the same space */
const onOneServer = <T>(count: number, measureMore: (hall: Hall) => Promise<T>) =>
  inFolder(async (folder): Promise<OneServer & { more: T }> => {
    const server = await startServer(scriptOf('serve-enfilade.ts'), folder, String(count));
    const { origin, token, room, first, elements } = server.said;
    try {
      const hall: Hall = {
        origins: [origin!],
        token: token!,
        room: Number(room),
        first: Number(first),
        elements: Number(elements),
      };
      const before = await cpuOf(server);
      const socket = await measureCrowd(hall);
      const cost = (((await cpuOf(server)) - before) * 1e6) / (EDITORS * EDITS);
      return { socket, cost, more: await measureMore(hall) };
    } finally {
      server.child.kill('SIGKILL');
    }
  });

/** Microseconds of a transaction that only inserts the same row. */
const bare = () =>
  inFolder(async (folder) => {
    const script = [scriptOf('bare-sqlite.ts'), folder, String(EDITORS * EDITS)];
    return Number(execFileSync(process.execPath, script, { encoding: 'utf8' }));
  });

function print(what: string, latencies: readonly Latency[], most: number): boolean {
  const half = median(latencies.map((latency) => latency.half));
  const nearly = median(latencies.map((latency) => latency.most));
  console.log(`${what}: half within ${half.toFixed(0)} ms, 95 % within ${nearly.toFixed(0)} ms (at most ${most})`);
  return nearly <= most;
}

/**
 * Measures the latency of edits to other editors of a large space, at the socket and on the canvas, on one server and
 * on two, and the server's CPU time compared with a transaction that only inserts the same row.
 * @returns whether the targets are met
 */
export async function compareEditing(rounds: number): Promise<boolean> {
  const one: (OneServer & { more: Latency })[] = [];
  const sizes = SIZES.map((elements) => ({ elements, costs: [] as number[] }));
  const theirs: number[] = [];
  const two: { socket: Latency; canvas: Latency }[] = [];
  const missing = await whyNoTwoServers();
  for (let round = 0; round < rounds; round++) {
    one.push(await onOneServer(ELEMENTS, measureCanvas));
    theirs.push(await bare());
    for (const { elements, costs } of sizes) costs.push((await onOneServer(elements, async () => null)).cost);
    if (!missing)
      two.push(
        await onTwoServers(async (hall) => ({ socket: await measureCrowd(hall), canvas: await measureCanvas(hall) })),
      );
  }
  console.log(`\n${EDITORS} editors in a space of ${ELEMENTS} elements, medians of ${rounds} round(s)\n`);
  const met = [
    print(
      'SQLite, another editor’s socket',
      one.map(({ socket }) => socket),
      TARGET.socket,
    ),
    print(
      'SQLite, another editor’s canvas',
      one.map(({ more }) => more),
      TARGET.canvas,
    ),
  ];
  const [cost, least] = [median(one.map((round) => round.cost)), median(theirs)];
  console.log(
    `processor time of the server for an edit: ${cost.toFixed(0)} µs, sent to ${EDITORS - 1} others; a bare transaction: ${least.toFixed(0)} µs; ${(cost / least).toFixed(1)} times (at most ${TARGET.cost})`,
  );
  met.push(cost / least <= TARGET.cost);
  const bySize = sizes.map(({ elements, costs }) => ({ elements, cost: median(costs) }));
  const [small, large] = [bySize[0]!, bySize.at(-1)!];
  const growth = (large.cost / small.cost) ** (1 / Math.log10(large.elements / small.elements));
  const texts = bySize.map(({ elements, cost: own }) => `${own.toFixed(0)} µs among ${elements} elements`);
  console.log(
    `an edit: ${texts.join(', ')}; ${growth.toFixed(2)} times for ten times as many (at most ${TARGET.growth})`,
  );
  met.push(growth <= TARGET.growth);
  if (missing) console.log(`Not measured: two servers over PostgreSQL and NATS; ${missing}.`);
  else
    met.push(
      print(
        'PostgreSQL and NATS, an editor’s socket',
        two.map(({ socket }) => socket),
        TARGET.socket,
      ),
      print(
        'PostgreSQL and NATS, an editor’s canvas',
        two.map(({ canvas }) => canvas),
        TARGET.canvas,
      ),
    );
  return met.every(Boolean);
}
