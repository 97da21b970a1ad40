import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuOf, median, type ServerProcess, startServer } from '../server-process.ts';

const SECONDS = 3;

/** A server, and the requests to it. */
interface Contestant {
  server: ServerProcess;
  url: string;
}

/** Results of one contestant: requests per second, and per second of CPU time. */
interface Figures {
  perSecond: number;
  perCpuSecond: number;
}

const run = promisify(execFile);

async function shoot({ server, url }: Contestant, token: string): Promise<Figures> {
  const before = await cpuOf(server);
  const load = [join(import.meta.dirname, 'load.ts'), url, token, String(SECONDS)];
  const { stdout } = await run(process.execPath, load);
  const { rate, requests } = JSON.parse(stdout) as { rate: number; requests: number };
  return { perSecond: rate, perCpuSecond: requests / ((await cpuOf(server)) - before) };
}

/** Medians of the rounds; contestants alternate. */
async function measure(contestants: readonly Contestant[], token: string, rounds: number): Promise<Figures[]> {
  const figures = contestants.map((): Figures[] => []);
  for (let round = 0; round < rounds; round++)
    for (const place of contestants.keys()) {
      const index = (place + round) % contestants.length;
      figures[index]!.push(await shoot(contestants[index]!, token));
    }
  return figures.map((list) => ({
    perSecond: median(list.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(list.map(({ perCpuSecond }) => perCpuSecond)),
  }));
}

/**
 * Compares this server with a bare Fastify on the same database: a whole room, and a list. Also compares the page of a
 * room with the API's response for it.
 * @returns whether the targets are met
 */
export async function compareHttp(rounds: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const servers: ServerProcess[] = [];
  try {
    const ours = await startServer(join(import.meta.dirname, 'serve-enfilade.ts'), folder);
    servers.push(ours);
    const bare = await startServer(join(import.meta.dirname, 'serve-fastify.ts'), folder);
    servers.push(bare);
    const { origin, token, room, list, page, visit } = ours.said;
    const stored = { server: bare, url: `${bare.said.origin}/text` };
    const rowwise = { server: bare, url: `${bare.said.origin}/rows` };
    const answer = { server: ours, url: origin + visit! };
    const rows = [
      { title: 'room of 100 elements', url: room!, other: 'stored text', than: stored, target: 1.2, moonshot: 1.5 },
      { title: 'list of 20', url: list!, other: 'rows', than: rowwise, target: 0.9, moonshot: 1.5 },
      { title: 'page of that room', url: page!, other: 'its API', than: answer, target: 0.8, moonshot: 0.95 },
    ];
    console.log(`\nHTTP through 32 connections, sign-in checked, medians of ${rounds} round(s)\n`);
    console.log(
      `${'requests in a second'.padEnd(22)}  enfilade         beside          ratio  of its cpu  target  moonshot`,
    );
    let met = true;
    for (const { title, url, other, than, target, moonshot } of rows) {
      const contestants = [{ server: ours, url: origin + url }, than];
      const [mine, theirs] = (await measure(contestants, token!, rounds)) as [Figures, Figures];
      const ratio = mine.perSecond / theirs.perSecond;
      // The load generator shares the machine with the servers, so CPU time is more meaningful than elapsed time.
      const ofCpu = mine.perCpuSecond / theirs.perCpuSecond;
      const figures = [mine.perSecond.toFixed(0).padStart(8), `${other} ${theirs.perSecond.toFixed(0)}`.padStart(20)];
      const numbers = [ratio, ofCpu, target, moonshot].map((value) => value.toFixed(2));
      const ratios = numbers.map((text, index) => text.padStart([9, 10, 6, 8][index]!));
      const verdict = ofCpu < target ? 'misses its target' : '';
      console.log([title.padEnd(22), ...figures, ...ratios, verdict].join('  '));
      met &&= ofCpu >= target;
    }
    return met;
  } finally {
    for (const { child } of servers) child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
