import { join } from 'node:path';
import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { writeOutput } from '../io/write-output.ts';
import { fileName, isFolder } from '../report/export-items.ts';
import { endpointOption } from './endpoint-option.ts';

interface Options {
  endpoint: string;
  json?: boolean;
  csv?: boolean;
  out?: string;
}

export const exportTokens: AddCommand = (tokens) => {
  tokens
    .command('export')
    .description('write every access token of a structure as import reads it: CSV, or JSON with times and durations')
    .addOption(endpointOption())
    .option('--json', 'a list of JSON, without loss; also where the name of --out ends with .json')
    .addOption(new Option('--csv', 'one column, no heading; unless JSON is asked for').conflicts('json'))
    .option(
      '--out <place>',
      'file, or folder (one that is there, or ends with /) for a file by its path; standard output otherwise',
    )
    .addHelpText(
      'after',
      examples(
        'enfilade tokens export --endpoint museum --out tokens.csv',
        'enfilade tokens export --endpoint museum --out tokens.json      # with times and durations',
        'enfilade tokens export --endpoint museum/hall --json --out tokens/',
        'enfilade tokens export --endpoint museum | wc -l',
      ),
    )
    .action(
      connected(async ({ client, download }, { endpoint, csv, out, ...options }: Options) => {
        const { calls } = await import('../../src/contract/calls.ts');
        const isJson = options.json ?? (!csv && /\.json$/i.test(out ?? ''));
        const { id, path } = await findEndpoint(client, endpoint);
        const format = isJson ? 'json' : 'csv';
        const isInto = out !== undefined && (await isFolder(out));
        const place = isInto ? join(out, `${fileName(path)}.${format}`) : out;
        await writeOutput(place, await download(calls.endpoints.exportTokens, { id }, { format }));
        if (isInto) process.stderr.write(`1 written to ${out}.\n`);
      }),
    );
};
