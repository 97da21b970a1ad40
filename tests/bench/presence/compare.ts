import { fork } from 'node:child_process';
import { join } from 'node:path';
import { alternate, inFolder, median, type Outcomes, type Scope, without } from '../bench.ts';
import { cpuOf, type ServerProcess, startServer } from '../server-process.ts';

const SECONDS = { full: 8, quick: 4 } as const;

interface Figures {
  /** Share of positions that arrived. */
  delivered: number;
  /** 99th percentile of the delay in milliseconds; null if nothing arrived. */
  delay: number | null;
  /** Bytes received per visitor and second. */
  bytes: number;
  /** CPU seconds of the server per second. */
  cpu: number;
}

const scriptOf = (name: string) => join(import.meta.dirname, name);
const TICKS = { 1000: 50, 3000: 200 } as const;

/** The contestants: this server, the minimum that does the same, and a plain broadcast of messages. */
const contestants = {
  enfilade: (folder: string) => startServer(scriptOf('serve-enfilade.ts'), folder),
  batches: (_: string, tick: number) => startServer(scriptOf('serve-bare.ts'), String(tick)),
  broadcast: () => startServer(scriptOf('serve-bare.ts'), 'broadcast'),
} satisfies Record<string, (folder: string, tick: number) => Promise<ServerProcess>>;
type Name = keyof typeof contestants;

const run = (name: Name, visitors: number, tick: number, seconds: number): Promise<Figures> =>
  inFolder(async (folder) => {
    const server = await contestants[name](folder, tick);
    const { origin, path } = server.said;
    const form = name === 'broadcast' ? 'messages' : 'frames';
    const crowd = fork(scriptOf('crowd.ts'), [origin!, path!, form, String(visitors), String(seconds)]);
    const said = () =>
      new Promise<unknown>((resolve, reject) => {
        crowd.once('message', resolve);
        crowd.once('exit', (code) => reject(new Error(`The crowd of ${name} ended with ${code}.`)));
      });
    try {
      await said();
      const before = await cpuOf(server);
      crowd.send('measure');
      const figures = (await said()) as Omit<Figures, 'cpu'>;
      return { ...figures, cpu: ((await cpuOf(server)) - before) / seconds };
    } finally {
      crowd.kill('SIGKILL');
      server.child.kill('SIGKILL');
    }
  });

/** Medians of each contestant. */
async function measure(names: readonly Name[], visitors: 1000 | 3000, { rounds, isQuick }: Scope): Promise<Figures[]> {
  const seconds = isQuick ? SECONDS.quick : SECONDS.full;
  const results = await alternate(
    names.map((name) => () => run(name, visitors, TICKS[visitors], seconds)),
    rounds,
  );
  return results.map((list) => {
    const of = (field: keyof Figures) => median(list.map((figures) => figures[field] ?? Number.POSITIVE_INFINITY));
    return { delivered: of('delivered'), delay: of('delay'), bytes: of('bytes'), cpu: of('cpu') };
  });
}

/**
 * Compares presence with all checks with the minimum that sends the same frames, and with a plain broadcast.
 */
export async function comparePresence(scope: Scope): Promise<Outcomes> {
  const { isQuick, wants } = scope;
  const outcomes: Outcomes = {};
  if (['5', '5b', '5 delivered', '5 delay'].some(wants)) {
    const [ours, bare, broadcast] = await measure(
      isQuick ? ['enfilade', 'batches'] : ['enfilade', 'batches', 'broadcast'],
      1000,
      scope,
    );
    const rest = broadcast ? ` · broadcast ${broadcast.cpu.toFixed(3)}` : '';
    const detail = `CPU s/s: ${ours!.cpu.toFixed(3)} to ${bare!.cpu.toFixed(3)}${rest}`;
    outcomes['5'] = { value: ours!.cpu / bare!.cpu, detail };
    const received = `bytes/s: ${ours!.bytes.toFixed(0)} to ${bare!.bytes.toFixed(0)}`;
    outcomes['5b'] = { value: ours!.bytes / bare!.bytes, detail: received };
    outcomes['5 delivered'] = { value: ours!.delivered * 100 };
    outcomes['5 delay'] = { value: ours!.delay!, detail: `tick ${TICKS[1000]} ms` };
  }
  if (isQuick) return { ...outcomes, ...without(['5 many'], 'only in the full run: connecting takes too long') };
  // A broadcast to thousands of visitors never finishes; it already collapses with a thousand.
  const [ours, bare] = await measure(['enfilade', 'batches'], 3000, scope);
  const detail = `CPU s/s: ${ours!.cpu.toFixed(3)} to ${bare!.cpu.toFixed(3)}`;
  return { ...outcomes, '5 many': { value: ours!.cpu / bare!.cpu, detail } };
}
