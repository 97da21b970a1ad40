import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst } from '../safety/consent.ts';
import { addContentOptions } from './options.ts';
import type { OrganizationImport } from './run-import.ts';

export const importOrganization: AddCommand = (organizations) => {
  const command = organizations
    .command('import')
    .description(
      'import an export into an organization, by names and paths: create missing entries, update different ones',
    )
    .argument('<export>', 'file or folder that enfilade org export wrote')
    .option('--prune', 'remove everything that the export does not contain', false)
    .option(
      '--undo-file <file>',
      'where to write what enfilade org undo needs, or to continue that of an interrupted import; org-undo-<time>.ndjson by default',
    )
    .option('--json', 'print the result as JSON', false)
    .addHelpText(
      'after',
      `${examples(
        'enfilade org import museum.zip --dry-run',
        'enfilade org import museum.zip --skip settings users webhooks --yes',
        'enfilade org import museum.zip --prune',
      )}

Structures are matched by path, rooms by folder and name, media by content, users by e-mail address, access tokens by structure and
token, everything else by name. Adding and changing users requires a signed-in user: enfilade login --email.

Run an interrupted import again to finish it. Removed files of the media library can't be restored.`,
    )
    .action(
      connected(async (connection, file: string, options: OrganizationImport) => {
        const { runOrganizationImport } = await import('./run-import.ts');
        await runOrganizationImport(connection, file, options);
      }),
    );
  addContentOptions(command);
  askFirst(command);
};
