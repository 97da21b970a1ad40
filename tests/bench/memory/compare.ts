import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../../../src/contract/client.ts';
import { EditorSocket } from '../../harness/editor-socket.ts';
import { inFolder, type Outcomes, type Scope, whyNoChromium, without } from '../bench.ts';
import { furnishHall } from '../editing/crowd.ts';
import { memoryOf, type ServerProcess, startServer } from '../server-process.ts';
import { measurePages, PAGE_ROWS } from './pages.ts';

const SIZES = {
  full: { editors: 50, visitors: 500, rooms: 100 },
  quick: { editors: 20, visitors: 100, rooms: 30 },
} as const;
/** Elements of a cached room. */
const ELEMENTS = 100;
/** Requests and changes of rooms after which the heap must be as before. */
const LEAK = { requests: 10_000, changes: 200 } as const;
/** Rooms that are read before rooms are measured. */
const WARM_UP = 20;
const KILOBYTE = 1000;
const MEGABYTE = 1e6;

const run = promisify(execFile);
const scriptOf = (name: string) => join(import.meta.dirname, '..', name);
const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Bytes of the heap after a collection. */
const heapOf = async (server: ServerProcess) => (await memoryOf(server)).heapUsed;

/** Server and bare Fastify at rest, on the same content. */
const atRest = () =>
  inFolder(async (folder): Promise<Outcomes> => {
    const ours = await startServer(scriptOf('http-api/serve-enfilade.ts'), folder);
    const bare = await startServer(scriptOf('http-api/serve-fastify.ts'), folder);
    try {
      const [mine, theirs] = [await memoryOf(ours), await memoryOf(bare)];
      const figure = (field: 'rss' | 'heapUsed') => {
        const numbers = [mine, theirs].map((usage) => (usage[field] / MEGABYTE).toFixed(0));
        return { value: mine[field] / theirs[field], detail: `MB: ${numbers.join(' to ')}` };
      };
      return { server: figure('rss'), heap: figure('heapUsed') };
    } finally {
      for (const { child } of [ours, bare]) child.kill('SIGKILL');
    }
  });

interface Place {
  server: ServerProcess;
  client: Client;
  origin: string;
  token: string;
}

/** Kilobytes of the server's heap per open editor of one room. */
async function perEditor({ server, client, origin, token }: Place, count: number): Promise<number> {
  const { room } = await furnishHall(client, ELEMENTS);
  const { seq } = await client.rooms.log({ params: { id: room }, query: { limit: 1 } });
  const open = (index: number) => EditorSocket.open(origin, room, { token, client: `editor ${index}`, after: seq });
  // The first one loads the room.
  const sockets = [await open(-1)];
  await passed(500);
  const before = await heapOf(server);
  for (let index = 0; index < count; index++) sockets.push(await open(index));
  await passed(1000);
  const after = await heapOf(server);
  for (const { ws } of sockets) ws.terminate();
  return (after - before) / count / KILOBYTE;
}

/** Kilobytes of the server's heap per visitor of one room. */
async function perVisitor({ server, client, origin }: Place, count: number): Promise<number> {
  const room = await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } });
  await client.endpoints.create({ body: { name: 'Open hall', room_id: room.id } });
  const { data } = (await (await fetch(`${origin}/api/v1/settings`)).json()) as { data: { realtime_api_key: string } };
  const query = new URLSearchParams({ key: data.realtime_api_key, room: String(room.id), mode: 'batch', avatars: '1' });
  const open = async (index: number) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/realtime?${query}`, { headers: { origin } });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const position = { x: index, y: 0, z: 0 };
    socket.send(JSON.stringify({ subject: 'position', data: { ref: `v${String(index).padStart(8, '0')}`, position } }));
    return socket;
  };
  const sockets = [await open(0)];
  await passed(500);
  const before = await heapOf(server);
  for (let index = 1; index <= count; index++) sockets.push(await open(index));
  await passed(1000);
  const after = await heapOf(server);
  for (const socket of sockets) socket.terminate();
  return (after - before) / count / KILOBYTE;
}

/** Kilobytes of the server's heap per room that was edited and read. */
async function perRoom({ server, client }: Place, count: number): Promise<number> {
  const visit = async () => {
    const { room } = await furnishHall(client, ELEMENTS);
    await client.rooms.read({ params: { id: room } });
  };
  // Compiles.
  for (let made = 0; made < WARM_UP; made++) await visit();
  const before = await heapOf(server);
  for (let made = 0; made < count; made++) await visit();
  return ((await heapOf(server)) - before) / count / KILOBYTE;
}

/** Megabytes that many requests and changes of a room leave on the server's heap. */
async function leak({ server, client, origin, token }: Place): Promise<number> {
  const { room, first } = await furnishHall(client, ELEMENTS);
  const { slug } = await client.endpoints.create({ body: { name: 'Leak', room_id: room } });
  let mutation = 1;
  const work = async (share: number) => {
    const paths = [`/api/v1/backend/rooms/${room}`, '/api/v1/backend/rooms?per_page=20', `/${slug}`];
    for (const path of paths) {
      const requests = String(Math.ceil((LEAK.requests * share) / paths.length));
      await run(process.execPath, [scriptOf('http-api/load.ts'), origin + path, token, '60', requests]);
    }
    for (let change = 0; change < LEAK.changes * share; change++) {
      const commands = [{ type: 'element.update' as const, id: first, fields: { position_x: mutation } }];
      await client.rooms.commit({ params: { id: room }, body: { client: 'leak', mutation: mutation++, commands } });
      await fetch(`${origin}/${slug}`).then((response) => response.text());
    }
    await passed(1500);
  };
  // Fills caches and compiles.
  await work(0.5);
  const before = await heapOf(server);
  await work(1);
  return ((await heapOf(server)) - before) / MEGABYTE;
}

/** Measures the memory of the server and of the viewer. */
export async function measureMemory({ isQuick, wants }: Scope): Promise<Outcomes> {
  const sizes = isQuick ? SIZES.quick : SIZES.full;
  const outcomes: Outcomes = {};
  if (['server', 'heap'].some(wants)) Object.assign(outcomes, await atRest());
  await inFolder(async (folder) => {
    const measured: Record<string, (place: Place) => Promise<number>> = {
      editor: (place) => perEditor(place, sizes.editors),
      visitor: (place) => perVisitor(place, sizes.visitors),
      room: (place) => perRoom(place, sizes.rooms),
      leak,
    };
    if (!Object.keys(measured).some(wants)) return;
    const server = await startServer(scriptOf('growth/serve-enfilade.ts'), folder);
    try {
      const { origin, token } = server.said as { origin: string; token: string };
      const place = { server, origin, token, client: createClient({ origin, token: () => token }) };
      for (const [id, measure] of Object.entries(measured))
        if (wants(id)) outcomes[id] = { value: await measure(place) };
    } finally {
      server.child.kill('SIGKILL');
    }
  });
  if (!PAGE_ROWS.some(wants)) return outcomes;
  const missing = await whyNoChromium();
  return { ...outcomes, ...(missing ? without(PAGE_ROWS, missing) : await measurePages(isQuick)) };
}
