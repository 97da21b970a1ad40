import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { cleanPath, findEndpoint } from './find-endpoint.ts';

interface Options {
  children: boolean;
  name?: string;
  json: boolean;
}

export const copyEndpoint: AddCommand = (endpoints) => {
  endpoints
    .command('copy')
    .description('copy a structure to another public path: it shows the same room; access tokens are not copied')
    .argument('<path>', 'public path or id')
    .argument('<new-path>', 'public path of the copy, such as winter or museum/winter')
    .option('--children', 'those below it as well', false)
    .option('--name <name>', 'title of the copy')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples('enfilade endpoints copy museum/hall museum/hall-2', 'enfilade endpoints copy museum winter --children'),
    )
    .action(
      connected(async ({ client }, path: string, newPath: string, { children, name, json }: Options) => {
        const parts = cleanPath(newPath).split('/');
        const slug = parts.at(-1)!;
        if (slug === '' || parts.length > 2)
          throw usageError(`"${newPath}" is no public path.`, 'Use one such as winter or museum/winter.');
        const { id } = await findEndpoint(client, path);
        const above = parts.length === 2 ? (await findEndpoint(client, parts[0]!)).id : null;
        const body = { slug, name, children, parent_endpoint_id: above };
        const copy = await client.endpoints.copy({ params: { id }, body });
        const place = [...parts.slice(0, -1), copy.slug].join('/');
        process.stdout.write(
          json ? jsonText({ id: copy.id, path: place, name: copy.name }) : `Structure ${copy.id}: ${place}\n`,
        );
      }),
    );
};
