import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions, type ImportOptions } from '../report/import-options.ts';
import { AREAS, RIGHTS } from '../words.ts';
import { asUser, USER_COLUMNS } from './columns.ts';

export const importUsers: AddCommand = (users) => {
  const command = users
    .command('import')
    .description('add and change users by their e-mails, from JSON or CSV: all of them or none; new ones get a mail')
    .argument('<files...>', 'files or patterns; - for standard input, JSON or CSV')
    .addHelpText(
      'after',
      `${examples(
        'enfilade users import users.csv --dry-run',
        'enfilade users import users.json',
        "enfilade users import 'teams/*.csv' --prune",
      )}

Needs a signed-in user: enfilade login --email you@example.com. An API key has no permission for this.

Columns of a table (an empty cell leaves its field as it is): ${Object.keys(USER_COLUMNS).join(', ')}
In the columns ${AREAS.join(', ')} stand rights between spaces: ${RIGHTS.join(', ')}; or none.

Whoever is new gets a link to set a password once everything is imported. Nobody is given rights that you lack. undo takes
those away that were added, and restores those that --prune removed: they set a new password, and make new API keys.`,
    )
    .action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const { importFile } = await import('../imports/import-file.ts');
        const { eachItem } = await import('../imports/read-files.ts');
        await importFile(
          () => eachItem(files, USER_COLUMNS, asUser),
          options,
          (request, idempotencyKey) => client.imports.usersFile({ ...request, idempotencyKey }),
        );
      }),
    );
  addImportOptions(command);
};
