import type { Client } from '../../src/contract/client.ts';
import type { Endpoint } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';

/** A structure with its public path, such as `museum/hall`. */
export type PlacedEndpoint = Endpoint & { path: string };

/** Every structure, parents before their children. */
export async function allEndpoints(client: Client): Promise<PlacedEndpoint[]> {
  const tree = await client.endpoints.list();
  const placed = (list: readonly Endpoint[], above: string): PlacedEndpoint[] =>
    list.flatMap((endpoint) => {
      const path = above + endpoint.slug;
      return [{ ...endpoint, path }, ...placed(endpoint.children, `${path}/`)];
    });
  return placed(tree, '');
}

/** Strips leading and trailing slashes from a path. */
export const cleanPath = (path: string): string => path.replace(/^\/+|(?<!\/)\/+$/g, '');

/**
 * The structure at a public path such as `museum` or `museum/hall`, or with this id.
 * @throws CliError listing the existing paths
 */
export async function findEndpoint(client: Client, wanted: string): Promise<PlacedEndpoint> {
  const all = await allEndpoints(client);
  const path = cleanPath(wanted);
  const found = all.find((endpoint) => endpoint.path === path) ?? all.find(({ id }) => String(id) === path);
  if (found) return found;
  const paths = all.slice(0, 10).map((endpoint) => endpoint.path);
  const list =
    paths.length > 0
      ? `Available: ${paths.join(', ')}${all.length > 10 ? ' and more' : ''}.`
      : 'There are no structures.';
  throw wrongError(`Structure "${path}" not found.`, list);
}
