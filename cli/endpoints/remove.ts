import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findEndpoint } from './find-endpoint.ts';

export const removeEndpoints: AddCommand = (endpoints) => {
  const command = endpoints
    .command('remove')
    .description(
      'remove structures with those below them and their access tokens; rooms stay. undo restores them for 30 days',
    )
    .argument('<paths...>', 'public paths or ids')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade endpoints remove museum/hall'))
    .action(
      connected(async ({ client }, given: string[], options: Safety & { json: boolean }) => {
        const ids: number[] = [];
        for (const path of given) ids.push((await findEndpoint(client, path)).id);
        const { removeThings } = await import('../safety/remove-things.ts');
        const removal = { kind: 'endpoints', ids, json: options.json } as const;
        await withConsent(options, (isTried) => removeThings(client, removal, isTried));
      }),
    );
  askFirst(command);
};
