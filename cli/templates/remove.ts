import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findTemplate } from './find-template.ts';

export const removeTemplates: AddCommand = (templates) => {
  const command = templates
    .command('remove')
    .description('remove templates that no room uses; undo restores them for 30 days')
    .argument('<templates...>', 'ids or names')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade templates remove "Old shell"'))
    .action(
      connected(async ({ client }, given: string[], options: Safety & { json: boolean }) => {
        const ids: number[] = [];
        for (const wanted of given) ids.push((await findTemplate(client, wanted)).id);
        const { removeThings } = await import('../safety/remove-things.ts');
        const removal = { kind: 'templates', ids, json: options.json } as const;
        await withConsent(options, (isTried) => removeThings(client, removal, isTried));
      }),
    );
  askFirst(command);
};
