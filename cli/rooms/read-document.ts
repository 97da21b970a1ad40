import { roomSchema } from '../../engine/document/room.ts';
import type { Client } from '../../src/contract/client.ts';

/** A room as a document, without what only the server's answers say about it. */
export async function readDocument(client: Client, id: number): Promise<object> {
  const room = await client.rooms.read({ params: { id } });
  return Object.fromEntries(Object.keys(roomSchema.shape).map((name) => [name, room[name as keyof typeof room]]));
}
