import type { Client } from '../../src/contract/client.ts';
import type { RoomRow } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { allEndpoints, cleanPath } from '../endpoints/find-endpoint.ts';
import { type CliError, wrongError } from '../failure.ts';
import { allPages } from '../report/pages.ts';

/** The error for a missing room. A number is an id, unless written as a path. */
export const noRoom = (wanted: string): CliError =>
  wrongError(
    `Room "${wanted}" not found.`,
    `Run \`enfilade rooms list\` to list IDs and names. A public path such as /${cleanPath(wanted)} also works.`,
  );

/** Matches a room by name or title. */
const isNamed = (wanted: string) => (row: RoomRow) => row.name === wanted || row.title === wanted;

/** The space that a structure shows; null without the right to see structures. */
async function shownAt(client: Client, wanted: string): Promise<number | null> {
  try {
    const found = (await allEndpoints(client)).find(({ path }) => path === cleanPath(wanted));
    return found?.room_id ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') return null;
    throw error;
  }
}

/**
 * Id of the space with this id, at this public path, or with this name.
 * @throws CliError if there is none, or several have the name
 */
export async function findRoom(client: Client, wanted: string): Promise<number> {
  if (/^\d{1,15}$/.test(wanted)) return Number(wanted);
  const shown = await shownAt(client, wanted);
  if (shown !== null) return shown;
  const search = wanted.slice(0, 200);
  const rows = await allPages((page) => client.rooms.list({ query: { ...page, search } }));
  const named = rows.filter(isNamed(wanted));
  if (named.length === 1) return named[0]!.id;
  if (named.length > 1)
    throw wrongError(
      `${named.length} rooms are named "${wanted}".`,
      `Use an ID: ${named.map(({ id }) => id).join(', ')}.`,
    );
  throw noRoom(wanted);
}
