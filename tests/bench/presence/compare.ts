import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf, median, type ServerProcess, startServer } from '../server-process.ts';

const SECONDS = 8;

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

async function run(name: Name, visitors: number, tick: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const server = await contestants[name](folder, tick);
  const { origin, path } = server.said;
  const form = name === 'broadcast' ? 'messages' : 'frames';
  const crowd = fork(scriptOf('crowd.ts'), [origin!, path!, form, String(visitors), String(SECONDS)]);
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
    return { ...figures, cpu: ((await cpuOf(server)) - before) / SECONDS };
  } finally {
    crowd.kill('SIGKILL');
    server.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Maximum ratio of our CPU time to that of bare batches, and maximum bytes. */
const TARGETS = { 1000: { cpu: 1.32, bytes: 6068 }, 3000: { cpu: 1.16, bytes: 18_200 } } as const;
/** Minimum share of positions that arrive, and maximum milliseconds beyond a tick for the 99th percentile. */
const DELIVERED = 0.995;
const DELAY = 20;

/**
 * Compares presence with all checks with the minimum that sends the same frames, and with a plain broadcast.
 * @returns whether the targets are met
 */
export async function comparePresence(rounds: number): Promise<boolean> {
  console.log(`\nPresence, one position a second from each visitor, medians of ${rounds} round(s)\n`);
  console.log('visitors  tick  server      cpu s/s  bytes/visitor/s  delivered  99% within ms');
  let met = true;
  for (const visitors of [1000, 3000] as const) {
    const tick = TICKS[visitors];
    // A broadcast to thousands of visitors never finishes; it already collapses with a thousand.
    const names: Name[] = visitors === 1000 ? ['enfilade', 'batches', 'broadcast'] : ['enfilade', 'batches'];
    const results = new Map<Name, Figures[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const place of names.keys()) {
        const name = names[(place + round) % names.length]!;
        results.get(name)!.push(await run(name, visitors, tick));
      }
    const middle = new Map(
      names.map((name): [Name, Figures] => {
        const list = results.get(name)!;
        const of = (field: keyof Figures) => median(list.map((figures) => figures[field] ?? Number.POSITIVE_INFINITY));
        return [name, { delivered: of('delivered'), delay: of('delay'), bytes: of('bytes'), cpu: of('cpu') }];
      }),
    );
    for (const [name, { cpu, bytes, delivered, delay }] of middle) {
      const place = [
        String(visitors).padStart(8),
        String(name === 'broadcast' ? '-' : tick).padStart(4),
        name.padEnd(10),
      ];
      const figures = [
        cpu.toFixed(3).padStart(7),
        bytes.toFixed(0).padStart(15),
        `${(delivered * 100).toFixed(1)} %`.padStart(9),
      ];
      console.log([...place, ...figures, delay!.toFixed(0).padStart(13)].join('  '));
    }
    const ours = middle.get('enfilade')!;
    const ratio = ours.cpu / middle.get('batches')!.cpu;
    const target = TARGETS[visitors];
    const misses = [
      ratio > target.cpu && 'processor time',
      ours.bytes > target.bytes && 'bytes',
      ours.delivered < DELIVERED && 'delivery',
      ours.delay! > tick + DELAY && 'delay',
    ].filter(Boolean);
    console.log(
      `          cpu of ours in that of bare batches: ${ratio.toFixed(2)}, target ${target.cpu}${misses.length > 0 ? `; misses its target: ${misses.join(', ')}` : ''}`,
    );
    met &&= misses.length === 0;
  }
  return met;
}
