import { type AddCommand, connected, examples } from '../command.ts';
import { removeEach } from '../report/remove-each.ts';
import { findEndpoint } from './find-endpoint.ts';

export const removeEndpoints: AddCommand = (endpoints) => {
  endpoints
    .command('remove')
    .description('remove structures with those below them and their personal codes; rooms stay')
    .argument('<paths...>', 'public paths or ids')
    .addHelpText('after', examples('enfilade endpoints remove museum/hall'))
    .action(
      connected(async ({ client }, given: string[]) => {
        const ids: number[] = [];
        for (const path of given) ids.push((await findEndpoint(client, path)).id);
        await removeEach(ids, (id) => client.endpoints.remove({ params: { id } }));
      }),
    );
};
