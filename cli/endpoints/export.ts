import { type AddCommand, connected, examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { endpointDocument } from './columns.ts';
import { allEndpoints } from './find-endpoint.ts';

export const exportEndpoints: AddCommand = (endpoints) => {
  endpoints
    .command('export')
    .description('write all structures as JSON, as import reads them: by path, rooms by name')
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText('after', examples('enfilade endpoints export --out endpoints.json'))
    .action(
      connected(async ({ client }, { out }: { out?: string }) =>
        writeOutput(out, jsonText((await allEndpoints(client)).map(endpointDocument))),
      ),
    );
};
