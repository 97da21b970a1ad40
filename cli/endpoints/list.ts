import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { ENDPOINT_COLUMNS, endpointDocument } from './columns.ts';
import { allEndpoints } from './find-endpoint.ts';

const SHOWN_ENDPOINT_COLUMNS = ['id', 'path', 'name', 'room', 'is_visible', 'is_protected', 'start_time', 'tokens'];

export const listEndpoints: AddCommand = (endpoints) => {
  const command = endpoints
    .command('list')
    .description('list structures with their public paths')
    .addHelpText('after', examples('enfilade endpoints list', 'enfilade endpoints list --csv --out endpoints.csv'))
    .action(
      connected(async ({ client }, options: ListOptions) => {
        const rows = (await allEndpoints(client)).map(({ children: _children, ...row }) => ({ ...row, children: [] }));
        const columns = options.csv ? Object.keys(ENDPOINT_COLUMNS) : SHOWN_ENDPOINT_COLUMNS;
        await printList(options, columns, rows, (row) => ({
          ...endpointDocument(row),
          id: row.id,
          tokens: row.access_tokens_count,
        }));
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
