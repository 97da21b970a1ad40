import type { Client } from '../../src/contract/client.ts';
import type { Accessibility } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { EXIT } from '../failure.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';

const COLUMNS = ['code', 'space', 'count', 'meaning'];

/** The findings once a call checks no more spaces than the one before: each checks only some of those that changed. */
async function allFindings(client: Client): Promise<Accessibility> {
  for (let checked = 0; ; ) {
    const found = await client.accessibility.findings();
    if (found.rooms_checked <= checked) return found;
    checked = found.rooms_checked;
    if (checked === found.rooms_total) return found;
  }
}

export const listFindings: AddCommand = (accessibility) => {
  const command = accessibility
    .command('findings')
    .description('list what assistive technology cannot present in spaces')
    .option('--fail', 'exit with 1 if there are findings', false)
    .addHelpText('after', examples('enfilade accessibility findings', 'enfilade accessibility findings --json --fail'))
    .action(
      connected(async ({ client }, options: ListOptions & { fail: boolean }) => {
        const { findings } = await allFindings(client);
        const rows = findings.flatMap(({ code, meaning, rooms }) =>
          rooms.map(({ id, name, count }) => ({ code, room_id: id, space: name, count, meaning })),
        );
        await printList(options, COLUMNS, rows, (row) => row);
        if (options.fail && rows.length > 0) process.exitCode = EXIT.wrong;
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
