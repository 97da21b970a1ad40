import { type AddCommand, connected, examples } from '../command.ts';
import { jsonText } from '../io/write-output.ts';
import { findTemplate } from './find-template.ts';

export const copyTemplate: AddCommand = (templates) => {
  templates
    .command('copy')
    .description('copy a template; its files are the same ones')
    .argument('<template>', 'id or name')
    .option('--name <name>', 'name of the copy')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade templates copy "White room" --name "White room, winter"'))
    .action(
      connected(async ({ client }, wanted: string, { name, json }: { name?: string; json: boolean }) => {
        const { id } = await findTemplate(client, wanted);
        const copy = await client.templates.copy({ params: { id }, body: { name } });
        process.stdout.write(json ? jsonText({ id: copy.id, name: copy.name }) : `Template ${copy.id}: ${copy.name}\n`);
      }),
    );
};
