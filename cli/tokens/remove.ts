import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { wrongError } from '../failure.ts';
import { filesOf, readText, STANDARD_INPUT } from '../io/read-file.ts';
import { eachEntry } from '../report/pages.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { endpointOption } from './endpoint-option.ts';

type Options = Safety & { endpoint: string; json: boolean };

export const removeTokens: AddCommand = (tokens) => {
  const command = tokens
    .command('remove')
    .description('remove access tokens and end the visits of their holders; can be undone for 30 days')
    .argument('<tokens...>', 'token texts; - to read them from standard input, one per line')
    .addOption(endpointOption())
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade tokens remove K7DP-9WZT --endpoint museum',
        'enfilade tokens remove - --endpoint museum < ended.txt',
      ),
    )
    .action(
      connected(async ({ client }, given: string[], { endpoint, ...options }: Options) => {
        const [only] = await filesOf(given.length === 1 ? given.filter((code) => code === STANDARD_INPUT) : []);
        const codes = only
          ? (await readText(only))
              .split(/\r?\n/)
              .map((code) => code.trim())
              .filter(Boolean)
          : given;
        const { normalToken } = await import('../../src/contract/token-text.ts');
        const { id, path } = await findEndpoint(client, endpoint);
        const wanted = new Set(codes.map(normalToken));
        const found: number[] = [];
        for await (const row of eachEntry((page) => client.accessTokens.list({ query: { ...page, endpoint_id: id } })))
          if (wanted.delete(normalToken(row.token))) found.push(row.id);
        if (wanted.size > 0)
          throw wrongError(
            `${path} has no such token. Nothing was removed.`,
            'Run enfilade tokens list to check the tokens.',
            [...wanted].map((code) => ({ reason: code })),
          );
        const { removeThings } = await import('../safety/remove-things.ts');
        const removal = { kind: 'access_tokens', ids: found, json: options.json } as const;
        await withConsent(options, (isTried) => removeThings(client, removal, isTried));
      }),
    );
  askFirst(command);
};
