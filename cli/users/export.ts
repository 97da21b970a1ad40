import type { Member } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { type Exported, type ExportOptions, exportItems, exportOne, exportOptions } from '../report/export-items.ts';
import { USER_COLUMNS, userDocument, userRow } from './columns.ts';
import { eachUser, findUser } from './find-user.ts';

const exported = (user: Member): Exported => ({ document: userDocument(user), row: userRow(user), file: user.email });

export const exportUsers: AddCommand = (users) => {
  const command = users
    .command('export')
    .description('write users with their rights as JSON or CSV, as import reads them; never passwords or keys')
    .argument('[user]', 'e-mail or id; all of them otherwise')
    .addHelpText(
      'after',
      examples(
        'enfilade users export --out users.json',
        'enfilade users export --csv --out users.csv',
        'enfilade users export kim@example.com',
      ),
    )
    .action(
      connected(async ({ client }, wanted: string | undefined, options: ExportOptions) => {
        const columns = Object.keys(USER_COLUMNS);
        if (wanted !== undefined) return exportOne(exported(await findUser(client, wanted)), columns, options);
        const items = async function* () {
          for await (const user of eachUser(client)) yield exported(user);
        };
        await exportItems(items(), columns, options);
      }),
    );
  for (const option of exportOptions()) command.addOption(option);
};
