import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type Client, createClient } from '../../src/contract/client.ts';
import { ApiError } from '../../src/contract/errors.ts';

/** Writers at once, elements of a whole room, and tokens that are added at once. */
const WRITERS = 6;
const ELEMENTS = 5;
const TOKENS = 50;

/** What the server has said that it did. */
export class Acknowledged {
  /** Titles of rooms by id; null for one that has been removed. */
  readonly rooms = new Map<number, string | null>();
  /** Names of elements by id, and the rooms that they go with. */
  readonly elements = new Map<number, { name: string; room: number }>();
  /** Rooms that are copies of whole ones, with the number of elements that they must have. */
  readonly copies = new Map<number, number>();
  /** Hashes of uploaded files by their address. */
  readonly files = new Map<string, string>();
  /** Ids about which a call was under way when the server was killed: they may be as before or as after it. */
  readonly unsure = new Set<number>();
  /** Tokens of the structure; a call that was not answered may have added as many again. */
  tokens = { sure: 0, open: 0 };
  writes = 0;
  /** Milliseconds that passed at most without an answer to any write, since `watch`. */
  stall = 0;
  #answeredAt = 0;

  /** Measures stalls from now on. */
  watch(): void {
    this.stall = 0;
    this.#answeredAt = performance.now();
  }

  /** Counts a write when it is answered. */
  async count<T>(write: Promise<T>): Promise<T> {
    const answer = await write;
    const now = performance.now();
    this.stall = Math.max(this.stall, now - this.#answeredAt);
    this.#answeredAt = now;
    this.writes++;
    return answer;
  }

  /** Begins anew, after all has been looked at. */
  forget(): void {
    for (const list of [this.rooms, this.elements, this.copies, this.files, this.unsure]) list.clear();
  }
}

let count = 0;

export async function picture(): Promise<File> {
  const color = { r: count & 255, g: (count >> 8) & 255, b: 99 };
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();
  return new File([new Uint8Array(bytes)], `picture-${++count}.png`);
}

async function hashOf(url: string): Promise<string> {
  const bytes = await (await fetch(url)).arrayBuffer();
  return createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
}

/** One writer's turn: a room with all that can be done to it. Notes what is answered. */
async function turn(client: Client, origin: string, endpoint: number, done: Acknowledged): Promise<void> {
  const title = `Room ${++count}`;
  const { id } = await done.count(client.rooms.create({ body: { title } }));
  done.rooms.set(id, title);
  for (let index = 0; index < ELEMENTS; index++) {
    const name = `Element ${++count}`;
    const body = { element: 'group' as const, name };
    const element = await done.count(client.rooms.addElement({ params: { id }, body }));
    done.elements.set(element.id, { name, room: id });
  }
  const copy = await done.count(client.rooms.copy({ params: { id } }));
  done.rooms.set(copy.id, copy.title);
  done.copies.set(copy.id, ELEMENTS);
  const [element] = copy.elements;
  done.unsure.add(element!.id);
  const renamed = `Renamed ${++count}`;
  await done.count(client.elements.update({ params: { id: element!.id }, body: { name: renamed } }));
  done.elements.set(element!.id, { name: renamed, room: copy.id });
  done.unsure.delete(element!.id);
  done.tokens.open += TOKENS;
  await done.count(client.accessTokens.createMany({ body: { endpoint_id: endpoint, count: TOKENS } }));
  done.tokens.open -= TOKENS;
  done.tokens.sure += TOKENS;
  const file = await picture();
  const media = await done.count(client.media.upload({ body: {}, files: { file } }));
  done.files.set(media.url, await hashOf(origin + media.url));
  done.unsure.add(id);
  const other = `Changed ${++count}`;
  await done.count(client.rooms.update({ params: { id }, body: { title: other } }));
  done.rooms.set(id, other);
  if (count % 3 === 0) {
    await done.count(client.rooms.remove({ params: { id } }));
    done.rooms.set(id, null);
  }
  done.unsure.delete(id);
}

/**
 * Writes through several connections until the server goes away.
 * @throws what the server answers that is no success while it is there
 */
export async function writeUntilGone(
  origin: string,
  token: string,
  endpoint: number,
  done: Acknowledged,
): Promise<void> {
  const client = createClient({ origin, token: () => token });
  const write = async () => {
    for (;;) {
      try {
        await turn(client, origin, endpoint, done);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** What is not as the server said that it is. */
export async function lostOf(origin: string, token: string, endpoint: number, done: Acknowledged): Promise<string[]> {
  const client = createClient({ origin, token: () => token });
  const lost: string[] = [];
  const or = <T>(attempt: Promise<T>): Promise<T | null> =>
    attempt.catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
  for (const [id, title] of done.rooms) {
    const room = await or(client.rooms.read({ params: { id } }));
    if (done.unsure.has(id)) continue;
    if ((room?.title ?? null) !== title) lost.push(`room ${id} is ${room?.title} instead of ${title}`);
    const wanted = done.copies.get(id);
    if (room && wanted !== undefined && room.elements.length !== wanted)
      lost.push(`room ${id} has ${room.elements.length} of ${wanted} elements`);
  }
  for (const [id, { name, room }] of done.elements) {
    const element = await or(client.elements.read({ params: { id } }));
    const wanted = done.rooms.get(room) === null ? undefined : name;
    if (!done.unsure.has(id) && !done.unsure.has(room) && element?.name !== wanted)
      lost.push(`element ${id} is ${element?.name} instead of ${wanted}`);
  }
  for (const [url, hash] of done.files)
    if ((await hashOf(origin + url)) !== hash) lost.push(`the file ${url} is another one`);
  const { total } = (await client.accessTokens.list({ query: { endpoint_id: endpoint } })).meta;
  const { sure, open } = done.tokens;
  if (total % TOKENS !== 0 || total < sure || total > sure + open) lost.push(`${total} tokens instead of ${sure}`);
  // What was not answered may have been done; from now on it is known.
  done.tokens = { sure: total, open: 0 };
  return lost;
}
