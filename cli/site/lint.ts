import type { Room } from '../../engine/document/room.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { allEndpoints } from '../endpoints/find-endpoint.ts';
import { EXIT } from '../failure.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { allPages } from '../report/pages.ts';

const FINDING_COLUMNS = ['severity', 'at', 'code', 'message'];

export const lintSite: AddCommand = (site) => {
  const command = site
    .command('lint')
    .description(
      'check links across all structures: broken, hidden, protected and unreachable ones; exits with 1 if any is broken',
    )
    .addHelpText('after', examples('enfilade site lint', 'enfilade site lint --json'))
    .action(
      connected(async ({ client }, options: ListOptions) => {
        const [{ lintLinks }, { flatRoom }] = await Promise.all([
          import('./links.ts'),
          import('../../engine/document/room.ts'),
        ]);
        const endpoints = await allEndpoints(client);
        const rooms = new Map<number, Room>();
        for (const { id } of await allPages((page) => client.rooms.list({ query: page })))
          rooms.set(id, flatRoom(await client.rooms.read({ params: { id } })));
        const found = lintLinks(endpoints, rooms);
        await printList(options, FINDING_COLUMNS, found, (row) => ({ ...row }));
        if (found.some(({ severity }) => severity === 'error')) process.exitCode = EXIT.wrong;
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
