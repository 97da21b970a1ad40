import { type AddCommand, connected, examples } from '../command.ts';
import { EXIT } from '../failure.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';

const COLUMNS = ['code', 'space', 'count', 'meaning'];

export const listFindings: AddCommand = (accessibility) => {
  const command = accessibility
    .command('findings')
    .description('list what assistive technology cannot present in the 200 most recently changed spaces')
    .option('--fail', 'exit with 1 if there are findings', false)
    .addHelpText('after', examples('enfilade accessibility findings', 'enfilade accessibility findings --json --fail'))
    .action(
      connected(async ({ client }, options: ListOptions & { fail: boolean }) => {
        const { findings } = await client.accessibility.findings();
        const rows = findings.flatMap(({ code, meaning, rooms }) =>
          rooms.map(({ id, name, count }) => ({ code, room_id: id, space: name, count, meaning })),
        );
        await printList(options, COLUMNS, rows, (row) => row);
        if (options.fail && rows.length > 0) process.exitCode = EXIT.wrong;
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
