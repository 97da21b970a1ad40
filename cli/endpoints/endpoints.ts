import type { Client } from '../../src/contract/client.ts';
import type { OwnEndpointField } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { usageError } from '../failure.ts';
import type { Column } from '../io/read-items.ts';
import { jsonText } from '../io/write-output.ts';
import type { Exported } from '../report/export-items.ts';
import { allPages } from '../report/pages.ts';
import { exportCommand, importCommand, listCommand, removeCommand } from '../resource.ts';
import { ENDPOINT_ORDERS, type EndpointOrder } from '../words.ts';
import { allEndpoints, cleanPath, findEndpoint, type PlacedEndpoint } from './find-endpoint.ts';
import { scorm } from './scorm.ts';

/** Columns of a table of structures, which are also the fields of their documents. */
const COLUMNS: Record<OwnEndpointField | 'path' | 'room' | 'translations', Column> = {
  path: 'text',
  name: 'text',
  room: 'text',
  is_visible: 'flag',
  is_timed: 'flag',
  show_countdown: 'flag',
  start_date: 'text',
  start_time: 'text',
  start_time_utc_offset: 'number',
  time_zone: 'text',
  is_protected: 'flag',
  access_token_duration: 'number',
  shows: 'text',
  accent_color: 'text',
  kiosk_seconds: 'number',
  translations: 'json',
};

/** A structure as a document: identified by its public path, its room by name. */
const endpointDocument = (endpoint: PlacedEndpoint): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(COLUMNS).map((name) => [
      name,
      name === 'room' ? (endpoint.room?.name ?? null) : endpoint[name as keyof PlacedEndpoint],
    ]),
  );

/** A structure as a row of a table. */
const endpointRow = (endpoint: PlacedEndpoint): Record<string, unknown> => ({
  ...endpointDocument(endpoint),
  translations: Object.keys(endpoint.translations).length > 0 ? JSON.stringify(endpoint.translations) : '',
});

const exported = (endpoint: PlacedEndpoint): Exported => ({
  document: endpointDocument(endpoint),
  row: endpointRow(endpoint),
  file: endpoint.path,
});

interface ListQuery {
  sort?: EndpointOrder;
}

/** Structures in an order; of the tree by default. */
async function listEndpoints(client: Client, { sort = 'tree' }: ListQuery): Promise<PlacedEndpoint[]> {
  const all = await allEndpoints(client);
  if (sort === 'tree') return all;
  const byId = new Map(all.map((endpoint) => [endpoint.id, endpoint]));
  const rows = await allPages((page) => client.endpoints.rows({ query: { ...page, sort } }));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

interface CopyOptions {
  children: boolean;
  name?: string;
  json: boolean;
}

const copyEndpoint: AddCommand = (endpoints) => {
  endpoints
    .command('copy')
    .description('copy a structure to another public path; the copy shows the same room, without access tokens')
    .argument('<path>', 'public path or ID')
    .argument('<new-path>', 'public path of the copy, such as winter or museum/winter')
    .option('--children', 'include its descendants', false)
    .option('--name <name>', 'title of the copy')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples('enfilade endpoints copy museum/hall museum/hall-2', 'enfilade endpoints copy museum winter --children'),
    )
    .action(
      connected(async ({ client }, path: string, newPath: string, { children, name, json }: CopyOptions) => {
        const parts = cleanPath(newPath).split('/');
        const slug = parts.at(-1)!;
        if (slug === '' || parts.length > 2)
          throw usageError(`Invalid public path: "${newPath}".`, 'Use a path such as winter or museum/winter.');
        const { id } = await findEndpoint(client, path);
        const above = parts.length === 2 ? (await findEndpoint(client, parts[0]!)).id : null;
        const body = { slug, name, children, parent_endpoint_id: above };
        const copy = await client.endpoints.copy({ params: { id }, body });
        const place = [...parts.slice(0, -1), copy.slug].join('/');
        process.stdout.write(
          json ? jsonText({ id: copy.id, path: place, name: copy.name }) : `Structure ${copy.id}: ${place}\n`,
        );
      }),
    );
};

export const endpoints = group('endpoints', 'structures: public paths that show rooms', [
  listCommand({
    description: 'list structures with their public paths',
    examples: ['endpoints list', 'endpoints list --sort schedule', 'endpoints list --csv --out endpoints.csv'],
    orders: ENDPOINT_ORDERS,
    columns: ['id', 'path', 'name', 'room', 'is_visible', 'is_protected', 'start_time', 'tokens'],
    csvColumns: Object.keys(COLUMNS),
    each: async (client, query: ListQuery) =>
      (await listEndpoints(client, query)).map((endpoint) => ({ ...endpoint, children: [] })),
    row: (endpoint) => ({ ...endpointRow(endpoint), id: endpoint.id, tokens: endpoint.access_tokens_count }),
  }),
  exportCommand({
    description: 'export structures as JSON or CSV, for import elsewhere: by path, with rooms by name',
    examples: [
      'endpoints export --out endpoints.json',
      'endpoints export --csv --out endpoints.csv',
      'endpoints export --out endpoints/      # a file each',
      'endpoints export museum/hall',
    ],
    argument: ['path', 'public path or ID of one structure'],
    columns: COLUMNS,
    each: allEndpoints,
    find: findEndpoint,
    exported,
  }),
  importCommand({
    description: 'create and update structures by public path, from JSON or CSV, all or none',
    examples: ['endpoints import endpoints.csv --dry-run', 'endpoints import endpoints.json --prune'],
    columns: COLUMNS,
    send: (client) => (request, idempotencyKey) => client.imports.endpointsFile({ ...request, idempotencyKey }),
  }),
  copyEndpoint,
  scorm,
  removeCommand({
    description:
      'remove structures with their descendants and access tokens, but not their rooms; can be undone for 30 days',
    examples: ['endpoints remove museum/hall'],
    argument: ['paths', 'public paths or IDs'],
    kind: 'endpoints',
    find: findEndpoint,
  }),
]);
