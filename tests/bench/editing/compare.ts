import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inFolder, median, type Outcomes, type Scope, whyNoChromium, without } from '../bench.ts';
import { cpuOf, startServer } from '../server-process.ts';
import { measureCanvas } from './canvas.ts';
import { EDITORS, EDITS, ELEMENTS, type Hall, type Latency, measureCrowd } from './crowd.ts';
import { onTwoServers, whyNoTwoServers } from './two-servers.ts';

/** Number of elements. */
const SIZES = { full: ELEMENTS, quick: 2000 } as const;

const scriptOf = (name: string) => join(import.meta.dirname, name);

interface OneServer {
  socket: Latency;
  canvas?: Latency;
  /** Microseconds of CPU time of the server per edit. */
  cost: number;
}

const onOneServer = (elements: number, hasCanvas: boolean) =>
  inFolder(async (folder): Promise<OneServer> => {
    const server = await startServer(scriptOf('serve-enfilade.ts'), folder, String(elements));
    const { origin, token, room, first } = server.said;
    try {
      const hall: Hall = { origins: [origin!], token: token!, room: Number(room), first: Number(first), elements };
      // A server that has just started still compiles its code.
      await measureCrowd(hall);
      const before = await cpuOf(server);
      const socket = await measureCrowd(hall);
      const cost = (((await cpuOf(server)) - before) * 1e6) / (EDITORS * EDITS);
      return { socket, cost, ...(hasCanvas && { canvas: await measureCanvas(hall) }) };
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

const figureOf = (latencies: readonly Latency[]) => ({
  value: median(latencies.map(({ most }) => most)),
  detail: `half within ${median(latencies.map(({ half }) => half)).toFixed(0)} ms`,
});

/**
 * Measures the latency of edits to other editors of a large space, at the socket and on the canvas, on one server and
 * on two, and the server's CPU time compared with a transaction that only inserts the same row.
 */
export async function compareEditing({ rounds, isQuick, wants }: Scope): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const noCanvas = await whyNoChromium();
  if (['7', '7b', '7 canvas'].some(wants)) {
    const one: OneServer[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      one.push(await onOneServer(isQuick ? SIZES.quick : SIZES.full, !noCanvas && wants('7 canvas')));
      theirs.push(await bare());
    }
    const [cost, least] = [median(one.map((round) => round.cost)), median(theirs)];
    outcomes['7'] = figureOf(one.map(({ socket }) => socket));
    outcomes['7b'] = { value: cost / least, detail: `µs: ${cost.toFixed(0)} to ${least.toFixed(0)}` };
    const canvases = one.flatMap(({ canvas }) => (canvas ? [canvas] : []));
    if (canvases.length > 0) outcomes['7 canvas'] = figureOf(canvases);
  }
  if (noCanvas) Object.assign(outcomes, without(['7 canvas'], noCanvas));
  if (!wants('7 two')) return outcomes;
  const missing = isQuick ? 'only in the full run: two servers start too slowly' : await whyNoTwoServers();
  if (missing) return { ...outcomes, ...without(['7 two'], missing) };
  const two: Latency[] = [];
  for (let round = 0; round < rounds; round++) two.push(await onTwoServers(measureCrowd));
  return { ...outcomes, '7 two': figureOf(two) };
}
