import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../src/contract/client.ts';
import { EditorSocket } from '../../harness/editor-socket.ts';
import { median, startServer } from '../server-process.ts';

const EDITORS = 20;
const ELEMENTS = 10_000;
/** Edits of each editor, and milliseconds between two of them. */
const EDITS = 20;
const EVERY = 500;
/** Most milliseconds until 95 of 100 edits have reached another editor. */
const TARGET = 150;

const scriptOf = (name: string) => join(import.meta.dirname, name);

/** Microseconds of processor time that a server has used. */
const usedBy = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('message', (used) => {
      const { user, system } = used as NodeJS.CpuUsage;
      resolve(user + system);
    });
    child.send('used');
  });

interface Round {
  /** Milliseconds until an edit has reached another editor: of half of them, and of 95 of 100. */
  half: number;
  most: number;
  /** Microseconds of the server for an edit. */
  cost: number;
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;

async function ours(): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  const { child, said } = await startServer(scriptOf('serve-enfilade.ts'), folder, String(ELEMENTS));
  try {
    const [room, first] = [Number(said.room), Number(said.first)];
    const client = createClient({ origin: said.origin!, token: () => said.token! });
    const { seq } = await client.rooms.log({ params: { id: room }, query: { limit: 1 } });
    const sent = new Map<string, number>();
    const took: number[] = [];
    const sockets = await Promise.all(
      Array.from({ length: EDITORS }, (_, index) =>
        EditorSocket.open(said.origin!, room, { token: said.token!, client: `editor ${index}`, after: seq }),
      ),
    );
    for (const [index, { ws }] of sockets.entries())
      ws.on('message', (data) => {
        const news = JSON.parse(data.toString());
        if (news.type !== 'entry' || news.entry.client === `editor ${index}`) return;
        took.push(performance.now() - sent.get(`${news.entry.client} ${news.entry.mutation}`)!);
      });
    const before = await usedBy(child);
    const edit = async (index: number) => {
      await new Promise((resolve) => setTimeout(resolve, (index * EVERY) / EDITORS));
      for (let mutation = 1; mutation <= EDITS; mutation++) {
        const name = `editor ${index}`;
        const id = first + ((index * EDITS + mutation) % ELEMENTS);
        const commands = [{ type: 'element.update' as const, id, fields: { position_x: mutation } }];
        sent.set(`${name} ${mutation}`, performance.now());
        const body = { client: name, mutation, commands, origin: 'editor' as const };
        const [answer] = await Promise.all([
          client.rooms.commit({ params: { id: room }, body }),
          new Promise((resolve) => setTimeout(resolve, EVERY)),
        ]);
        if (answer.seq <= seq) throw new Error('An edit has no place in the log.');
      }
    };
    await Promise.all(sockets.map((_, index) => edit(index)));
    const wanted = EDITORS * EDITS * (EDITORS - 1);
    const until = performance.now() + 5000;
    while (took.length < wanted && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    if (took.length < wanted) throw new Error(`${took.length} of ${wanted} edits arrived.`);
    const cost = ((await usedBy(child)) - before) / (EDITORS * EDITS);
    for (const { ws } of sockets) ws.terminate();
    took.sort((a, b) => a - b);
    return { half: at(took, 0.5), most: at(took, 0.95), cost };
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function bare(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  try {
    const script = [scriptOf('bare-sqlite.ts'), folder, String(EDITORS * EDITS)];
    return Number(execFileSync(process.execPath, script, { encoding: 'utf8' }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Measures how long an edit takes to reach others who edit the same large space, and what the server spends on it beside a
 * transaction that only inserts the same row.
 * @returns whether the target is met
 */
export async function compareEditing(rounds: number): Promise<boolean> {
  const [mine, theirs]: [Round[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    mine.push(await ours());
    theirs.push(await bare());
  }
  const of = (pick: (round: Round) => number) => median(mine.map(pick));
  const [half, most, cost, least] = [of((r) => r.half), of((r) => r.most), of((r) => r.cost), median(theirs)];
  console.log(`\n${EDITORS} editors in a space of ${ELEMENTS} elements on SQLite, medians of ${rounds} round(s)\n`);
  console.log(
    `an edit reaches another editor: half within ${half.toFixed(0)} ms, 95 % within ${most.toFixed(0)} ms (at most ${TARGET})`,
  );
  console.log(
    `processor time of the server for an edit: ${cost.toFixed(0)} µs, sent to ${EDITORS - 1} others; a bare transaction: ${least.toFixed(0)} µs; ${(cost / least).toFixed(1)} times`,
  );
  return most <= TARGET;
}
