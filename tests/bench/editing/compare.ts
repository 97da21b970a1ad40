import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf, median, startServer } from '../server-process.ts';
import { measureCanvas } from './canvas.ts';
import { EDITORS, EDITS, ELEMENTS, type Hall, type Latency, measureCrowd } from './crowd.ts';
import { onTwoServers, whyNoTwoServers } from './two-servers.ts';

/** Maximum milliseconds for the 95th percentile of edits to reach another editor's socket, and its canvas. */
const TARGET = { socket: 150, canvas: 250 } as const;

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
  canvas: Latency;
  /** Microseconds of CPU time of the server per edit. */
  cost: number;
}

const onOneServer = () =>
  inFolder(async (folder): Promise<OneServer> => {
    const server = await startServer(scriptOf('serve-enfilade.ts'), folder);
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
      return { socket, cost, canvas: await measureCanvas(hall) };
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
  const one: OneServer[] = [];
  const theirs: number[] = [];
  const two: Pick<OneServer, 'socket' | 'canvas'>[] = [];
  const missing = await whyNoTwoServers();
  for (let round = 0; round < rounds; round++) {
    one.push(await onOneServer());
    theirs.push(await bare());
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
      one.map(({ canvas }) => canvas),
      TARGET.canvas,
    ),
  ];
  const [cost, least] = [median(one.map((round) => round.cost)), median(theirs)];
  console.log(
    `processor time of the server for an edit: ${cost.toFixed(0)} µs, sent to ${EDITORS - 1} others; a bare transaction: ${least.toFixed(0)} µs; ${(cost / least).toFixed(1)} times`,
  );
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
