import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { eachEntry } from '../report/pages.ts';

const JOB_COLUMNS = ['id', 'at', 'kind', 'user', 'create', 'update', 'remove', 'undone_at'];

export const jobs: AddCommand = (program) => {
  const command = program
    .command('jobs')
    .description('list completed imports and removals, newest first; each can be undone for 30 days')
    .addHelpText('after', examples('enfilade jobs', 'enfilade jobs --json'))
    .action(
      connected(async ({ client }, options: ListOptions) => {
        const rows = eachEntry((page) => client.imports.list({ query: page }));
        await printList(options, JOB_COLUMNS, rows, ({ user, counts, ...row }) => ({
          ...row,
          ...counts,
          user: user?.name,
        }));
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
