import { type AddCommand, connected, examples } from '../command.ts';
import { type Exported, type ExportOptions, exportItems, exportOne, exportOptions } from '../report/export-items.ts';
import { ENDPOINT_COLUMNS, endpointDocument } from './columns.ts';
import { allEndpoints, findEndpoint, type PlacedEndpoint } from './find-endpoint.ts';

function exported(endpoint: PlacedEndpoint): Exported {
  const document = endpointDocument(endpoint);
  return { document, row: document, file: endpoint.path };
}

export const exportEndpoints: AddCommand = (endpoints) => {
  const command = endpoints
    .command('export')
    .description('write structures as JSON or CSV, as import reads them: by path, rooms by name')
    .argument('[path]', 'public path or id of one; all of them otherwise')
    .addHelpText(
      'after',
      examples(
        'enfilade endpoints export --out endpoints.json',
        'enfilade endpoints export --csv --out endpoints.csv',
        'enfilade endpoints export --out endpoints/      # a file each',
        'enfilade endpoints export museum/hall',
      ),
    )
    .action(
      connected(async ({ client }, path: string | undefined, options: ExportOptions) => {
        const columns = Object.keys(ENDPOINT_COLUMNS);
        if (path !== undefined) return exportOne(exported(await findEndpoint(client, path)), columns, options);
        await exportItems((await allEndpoints(client)).map(exported), columns, options);
      }),
    );
  for (const option of exportOptions()) command.addOption(option);
};
