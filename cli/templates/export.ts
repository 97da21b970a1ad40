import { templateSchema } from '../../engine/document/template.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { allTemplates, findTemplate } from './find-template.ts';

const documentOf = (template: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(templateSchema.shape).map((name) => [name, template[name]]));

export const exportTemplates: AddCommand = (templates) => {
  templates
    .command('export')
    .description('write a template, or a list of all, as JSON')
    .argument('[template]', 'id or name')
    .option('--all', 'all of them', false)
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText(
      'after',
      examples(
        'enfilade templates export "White room" --out white.json',
        'enfilade templates export --all --out templates.json',
      ),
    )
    .action(
      connected(async ({ client }, wanted: string | undefined, { all, out }: { all: boolean; out?: string }) => {
        if (all) return writeOutput(out, jsonText((await allTemplates(client)).map(documentOf)));
        if (wanted === undefined) throw usageError('No template is named.', 'Name one, or use --all.');
        await writeOutput(out, jsonText(documentOf(await findTemplate(client, wanted))));
      }),
    );
};
