import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alternate, inFolder, median, type Outcomes, type Scope } from '../bench.ts';
import { cpuOf, type ServerProcess, startServer } from '../server-process.ts';

const SECONDS = { full: 3, quick: 1.5 } as const;

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

async function shoot({ server, url }: Contestant, token: string, seconds: number): Promise<Figures> {
  const before = await cpuOf(server);
  const load = [join(import.meta.dirname, 'load.ts'), url, token, String(seconds)];
  const { stdout } = await run(process.execPath, load);
  const { rate, requests } = JSON.parse(stdout) as { rate: number; requests: number };
  return { perSecond: rate, perCpuSecond: requests / ((await cpuOf(server)) - before) };
}

/**
 * Compares this server with a bare Fastify on the same database: a whole room, and a list. Also compares the page of a
 * room with the API's response for it. The load generator shares the machine with the servers, so CPU time is more
 * meaningful than elapsed time.
 */
export const compareHttp = ({ rounds, isQuick, wants }: Scope): Promise<Outcomes> =>
  inFolder(async (folder) => {
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
        { id: '3', url: room!, than: stored },
        { id: '3b', url: list!, than: rowwise },
        { id: '3c', url: page!, than: answer },
      ];
      const outcomes: Outcomes = {};
      for (const { id, url, than } of rows) {
        if (!wants(id)) continue;
        const contestants = [{ server: ours, url: origin + url }, than];
        const seconds = isQuick ? SECONDS.quick : SECONDS.full;
        const results = await alternate(
          contestants.map((each) => () => shoot(each, token!, seconds)),
          rounds,
        );
        const middle = (field: keyof Figures) => results.map((figures) => median(figures.map((each) => each[field])));
        const [mine, theirs] = middle('perCpuSecond') as [number, number];
        const rates = middle('perSecond').map((rate) => rate.toFixed(0));
        outcomes[id] = { value: mine / theirs, detail: `requests/s: ${rates.join(' to ')}` };
      }
      return outcomes;
    } finally {
      for (const { child } of servers) child.kill();
    }
  });
