import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { type ListOptions, listOptions, printList, sortOption } from '../report/list.ts';
import { eachEntry, eachEntryOnward } from '../report/pages.ts';
import { TOKEN_ORDERS, TOKEN_STATES, type TokenOrder, type TokenState } from '../words.ts';
import { endpointOption } from './endpoint-option.ts';

/** Columns of the table that `tokens list --csv` writes. */
export const TOKEN_COLUMNS = [
  'id',
  'token',
  'valid_from',
  'valid_till',
  'valid_duration',
  'first_used_at',
  'last_used_at',
  'holder_name',
  'holder_email',
  'group',
  'note',
];

type Options = ListOptions & {
  endpoint: string;
  search?: string;
  state?: TokenState;
  group?: string;
  sort?: TokenOrder;
};

export const listTokens: AddCommand = (tokens) => {
  const command = tokens
    .command('list')
    .description('list access tokens, newest first')
    .addOption(endpointOption())
    .option('--search <words>', 'filter by text, at most 1,000 results')
    .addOption(new Option('--state <state>', 'filter by state').choices(TOKEN_STATES))
    .option('--group <group>', 'filter by group, such as Press')
    .addOption(sortOption(TOKEN_ORDERS))
    .addHelpText(
      'after',
      examples(
        'enfilade tokens list --endpoint museum --json',
        'enfilade tokens list --endpoint museum --sort valid_till',
        'enfilade tokens list --endpoint museum/hall --state unused --csv --out unused.csv',
      ),
    )
    .action(
      connected(async ({ client }, { endpoint, search, state, group, sort, ...options }: Options) => {
        const { id } = await findEndpoint(client, endpoint);
        const query = { endpoint_id: id, search, state, group };
        if (search) {
          const { data, meta } = await client.accessTokens.list({ query: { per_page: 1000, ...query, sort } });
          if (meta.is_more) process.stderr.write('More than 1,000 tokens match. Narrow the search.\n');
          await printList(options, TOKEN_COLUMNS, data, (row) => row);
          return;
        }
        const rows = sort
          ? eachEntry((page) => client.accessTokens.list({ query: { ...page, ...query, sort } }))
          : eachEntryOnward((part) => client.accessTokens.list({ query: { ...part, ...query } }));
        await printList(options, TOKEN_COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
