import { join } from 'node:path';
import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { writeOutput } from '../io/write-output.ts';
import { fileName, isFolder } from '../report/export-items.ts';
import { TOKEN_STATES, type TokenState } from '../words.ts';
import { endpointOption } from './endpoint-option.ts';

interface Options {
  endpoint: string;
  json?: boolean;
  csv?: boolean;
  links?: boolean;
  search?: string;
  state?: TokenState;
  group?: string;
  out?: string;
}

export const exportTokens: AddCommand = (tokens) => {
  tokens
    .command('export')
    .description(
      'export access tokens of a structure, all of them by default: as CSV, or as JSON with validity times, for import elsewhere',
    )
    .addOption(endpointOption())
    .option('--json', 'export JSON with all fields; implied if the name in --out ends with .json')
    .addOption(new Option('--csv', 'export CSV with one column and no heading (the default)').conflicts('json'))
    .addOption(
      new Option('--links', 'export CSV with a heading, links, states, holders, groups, notes and times').conflicts([
        'json',
        'csv',
      ]),
    )
    .addOption(
      new Option('--search <words>', 'with --links: only tokens that match, however many')
        .implies({ links: true })
        .conflicts(['json', 'csv']),
    )
    .addOption(
      new Option('--state <state>', 'with --links: only tokens in this state')
        .choices(TOKEN_STATES)
        .implies({ links: true })
        .conflicts(['json', 'csv']),
    )
    .addOption(
      new Option('--group <group>', 'with --links: only tokens of this group')
        .implies({ links: true })
        .conflicts(['json', 'csv']),
    )
    .option(
      '--out <place>',
      'file, or folder (an existing one, or a name that ends with /) for a file named after the path; standard output by default',
    )
    .addHelpText(
      'after',
      examples(
        'enfilade tokens export --endpoint museum --out tokens.csv',
        'enfilade tokens export --endpoint museum --out tokens.json      # with times and durations',
        'enfilade tokens export --endpoint museum/hall --json --out tokens/',
        'enfilade tokens export --endpoint museum --links --out guests.csv',
        'enfilade tokens export --endpoint museum --search vip --state unused --out guests.csv',
        'enfilade tokens export --endpoint museum --group Press --out press.csv',
        'enfilade tokens export --endpoint museum | wc -l',
      ),
    )
    .action(
      connected(
        async ({ client, download }, { endpoint, csv, links, search, state, group, out, ...options }: Options) => {
          const { calls } = await import('../../src/contract/calls.ts');
          const isJson = options.json ?? (!csv && !links && /\.json$/i.test(out ?? ''));
          const { id, path } = await findEndpoint(client, endpoint);
          const format = isJson ? 'json' : 'csv';
          const isInto = out !== undefined && (await isFolder(out));
          const place = isInto ? join(out, `${fileName(path)}.${format}`) : out;
          const content = links
            ? download(
                calls.accessTokens.export,
                {},
                {
                  endpoint_id: String(id),
                  ...(search && { search }),
                  ...(state && { state }),
                  ...(group && { group }),
                },
              )
            : download(calls.endpoints.exportTokens, { id }, { format });
          await writeOutput(place, await content);
          if (isInto) process.stderr.write(`1 written to ${out}.\n`);
        },
      ),
    );
};
