import { type Client, createClient } from '../../../src/contract/client.ts';
import { EditorSocket } from '../../harness/editor-socket.ts';

/** Number of concurrent editors of the space. */
export const EDITORS = 20;
/** Number of elements in the space. */
export const ELEMENTS = 10_000;
/** Number of edits per editor, and milliseconds between them. */
export const EDITS = 20;
const EVERY = 500;
/** Number of elements added per call. */
const AT_ONCE = 500;

/** A space with many elements, and the servers of it. */
export interface Hall {
  /** Editors are distributed among these servers. */
  origins: readonly string[];
  token: string;
  room: number;
  /** Id of the first element; the others follow. */
  first: number;
  /** Number of elements. */
  elements: number;
}

/** Creates a space with many elements. */
export async function furnishHall(
  client: Client,
  elements = ELEMENTS,
): Promise<Pick<Hall, 'room' | 'first' | 'elements'>> {
  const { id: room } = await client.rooms.create({ body: { title: 'Hall' } });
  let first = 0;
  for (let made = 0, mutation = 1; made < elements; made += AT_ONCE, mutation++) {
    const commands = Array.from({ length: Math.min(AT_ONCE, elements - made) }, (_, index) => ({
      type: 'element.add' as const,
      element: { id: -1 - index, element: 'group', name: `Element ${made + index}` },
      parent: null,
    }));
    const { ids } = await client.rooms.commit({ params: { id: room }, body: { client: 'seed', mutation, commands } });
    first ||= ids['-1']!;
  }
  return { room, first, elements };
}

/** Milliseconds of the median and the 95th percentile. */
export interface Latency {
  half: number;
  most: number;
}

/** Median and 95th percentile of some durations. */
export function latencyOf(took: readonly number[]): Latency {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  return { half: at(0.5), most: at(0.95) };
}

/** Lets many editors edit concurrently, and measures the delay from each edit to each other editor. */
export async function measureCrowd({ origins, token, room, first, elements }: Hall): Promise<Latency> {
  const clients = origins.map((origin) => createClient({ origin, token: () => token }));
  const { seq } = await clients[0]!.rooms.log({ params: { id: room }, query: { limit: 1 } });
  const sent = new Map<string, number>();
  const took: number[] = [];
  const nameOf = (index: number) => `editor ${index} after ${seq}`;
  const sockets = await Promise.all(
    Array.from({ length: EDITORS }, (_, index) =>
      EditorSocket.open(origins[index % origins.length]!, room, { token, client: nameOf(index), after: seq }),
    ),
  );
  for (const [index, { ws }] of sockets.entries())
    ws.on('message', (data) => {
      const news = JSON.parse(data.toString());
      if (news.type !== 'entry' || news.entry.client === nameOf(index)) return;
      took.push(performance.now() - sent.get(`${news.entry.client} ${news.entry.mutation}`)!);
    });
  const edit = async (index: number) => {
    await new Promise((resolve) => setTimeout(resolve, (index * EVERY) / EDITORS));
    for (let mutation = 1; mutation <= EDITS; mutation++) {
      const id = first + ((index * EDITS + mutation) % elements);
      const commands = [{ type: 'element.update' as const, id, fields: { position_x: mutation } }];
      sent.set(`${nameOf(index)} ${mutation}`, performance.now());
      const body = { client: nameOf(index), mutation, commands, origin: 'editor' as const };
      const [answer] = await Promise.all([
        clients[index % clients.length]!.rooms.commit({ params: { id: room }, body }),
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
  for (const { ws } of sockets) ws.terminate();
  return latencyOf(took);
}
