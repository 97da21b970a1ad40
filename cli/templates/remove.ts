import { type AddCommand, connected, examples } from '../command.ts';
import { removeEach } from '../report/remove-each.ts';
import { findTemplate } from './find-template.ts';

export const removeTemplates: AddCommand = (templates) => {
  templates
    .command('remove')
    .description('remove templates that no room uses')
    .argument('<templates...>', 'ids or names')
    .addHelpText('after', examples('enfilade templates remove "Old shell"'))
    .action(
      connected(async ({ client }, given: string[]) => {
        const ids: number[] = [];
        for (const wanted of given) ids.push((await findTemplate(client, wanted)).id);
        await removeEach(ids, (id) => client.templates.remove({ params: { id } }));
      }),
    );
};
