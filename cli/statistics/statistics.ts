import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import {
  STATISTICS_GROUP_NAMES,
  STATISTICS_INTERVALS,
  type StatisticsGroup,
  type StatisticsInterval,
} from '../words.ts';

const POINT_COLUMNS = ['at', 'visits', 'visitors', 'seconds'];
const GROUP_COLUMNS = ['id', 'to_id', 'name', 'detail', 'room_id', 'count', 'visitors', 'seconds'];

type Options = ListOptions & {
  endpoint?: string;
  from?: string;
  till?: string;
  interval: StatisticsInterval;
  zone: string;
  by?: StatisticsGroup;
};

/** Midnight UTC of a day such as 2026-03-10; other values are passed on for the server to validate. */
const momentOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);

export const statistics: AddCommand = (program) => {
  const command = program
    .command('statistics')
    .description('print visit statistics of structures, over time or grouped')
    .option('--endpoint <path>', 'filter by structure: public path or ID')
    .option('--from <moment>', 'start, such as 2026-03-01 or 2026-03-01T08:00:00Z; 7 days before the end by default')
    .option('--till <moment>', 'end; now by default')
    .addOption(new Option('--interval <step>', 'interval').choices(STATISTICS_INTERVALS).default('day'))
    .option('--zone <zone>', 'time zone for the start of days', 'UTC')
    .addOption(new Option('--by <what>', 'dimension to group by, largest first').choices(STATISTICS_GROUP_NAMES))
    .addHelpText(
      'after',
      examples(
        'enfilade statistics',
        'enfilade statistics --endpoint museum/hall --by element --csv --out seen.csv',
        'enfilade statistics --from 2026-03-01 --till 2026-04-01 --interval week --zone Europe/Amsterdam --json',
      ),
    )
    .action(
      connected(async ({ client }, { endpoint, from, till, interval, zone, by, ...options }: Options) => {
        const found = endpoint === undefined ? undefined : await findEndpoint(client, endpoint);
        const query = { from: from && momentOf(from), till: till && momentOf(till), endpoint_id: found?.id };
        if (by === undefined) {
          const { points } = await client.statistics.read({ query: { ...query, interval, zone } });
          await printList(options, POINT_COLUMNS, points, (point) => point);
          return;
        }
        const rows = await client.statistics.list({ query: { ...query, by, limit: 1000 } });
        await printList(options, GROUP_COLUMNS, rows, (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
