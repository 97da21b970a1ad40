import type { NestedElement } from '../../engine/document/element.ts';
import { roomSchema } from '../../engine/document/room.ts';
import type { Client } from '../../src/contract/client.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { noRoom } from './find-room.ts';

/** Elements without their order keys: in a file, the lists define the order. */
export const withoutKeys = (elements: readonly NestedElement[]): object[] =>
  elements.map(({ index: _, children, ...element }) => ({ ...element, children: withoutKeys(children) }));

/**
 * A room as a document, without response-only fields.
 * @throws CliError if no room has this id
 */
export async function readDocument(client: Client, id: number): Promise<object> {
  const room = await client.rooms.read({ params: { id } }).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'not_found' ? noRoom(String(id)) : error;
  });
  const document = { ...room, elements: withoutKeys(room.elements) };
  return Object.fromEntries(Object.keys(roomSchema.shape).map((name) => [name, document[name as keyof typeof room]]));
}
