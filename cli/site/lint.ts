import type { Room } from '../../engine/document/room.ts';
import { type FormatOptions, formatOf, formatOptions, isReported } from '../ci/problem-report.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { allEndpoints } from '../endpoints/find-endpoint.ts';
import { EXIT } from '../failure.ts';
import { writeOutput } from '../io/write-output.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { allPages } from '../report/pages.ts';

const FINDING_COLUMNS = ['severity', 'at', 'code', 'message'];

export const lintSite: AddCommand = (site) => {
  const command = site
    .command('lint')
    .description(
      'check links across all structures: broken, hidden, protected and unreachable ones; exits with 1 if any is broken',
    )
    .addHelpText(
      'after',
      examples('enfilade site lint', 'enfilade site lint --json', 'enfilade site lint --format junit --out site.xml'),
    )
    .action(
      connected(async ({ client }, options: ListOptions & FormatOptions) => {
        const [{ lintLinks }, { flatRoom }] = await Promise.all([
          import('./links.ts'),
          import('../../engine/document/room.ts'),
        ]);
        const endpoints = await allEndpoints(client);
        const rooms = new Map<number, Room>();
        for (const { id } of await allPages((page) => client.rooms.list({ query: page })))
          rooms.set(id, flatRoom(await client.rooms.read({ params: { id } })));
        const found = lintLinks(endpoints, rooms);
        const format = formatOf(options);
        if (isReported(format)) {
          const { siteReport } = await import('./report-links.ts');
          await writeOutput(options.out, siteReport(format, endpoints, found));
        } else await printList({ ...options, json: format === 'json' }, FINDING_COLUMNS, found, (row) => ({ ...row }));
        if (found.some(({ severity }) => severity === 'error')) process.exitCode = EXIT.wrong;
      }),
    );
  const own = listOptions().filter(({ long }) => long !== '--json');
  for (const option of [...formatOptions(), ...own]) command.addOption(option);
};
