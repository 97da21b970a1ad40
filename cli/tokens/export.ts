import { calls } from '../../src/contract/calls.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { writeOutput } from '../io/write-output.ts';
import { endpointOption } from './endpoint-option.ts';

export const exportTokens: AddCommand = (tokens) => {
  tokens
    .command('export')
    .description('write every personal code of a structure as CSV: one column, no heading, as import reads it')
    .addOption(endpointOption())
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText(
      'after',
      examples(
        'enfilade tokens export --endpoint museum --out codes.csv',
        'enfilade tokens export --endpoint museum | wc -l',
      ),
    )
    .action(
      connected(async ({ client, download }, { endpoint, out }: { endpoint: string; out?: string }) => {
        const { id } = await findEndpoint(client, endpoint);
        await writeOutput(out, await download(calls.endpoints.exportTokens, { id }));
      }),
    );
};
