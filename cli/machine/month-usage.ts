import { examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { type Place, withPlace } from './place.ts';

const COLUMNS = ['id', 'name', 'month', 'bytes', 'visits', 'active_users', 'seats', 'emails'] as const;

export const showUsage = withPlace((organizations) => {
  const command = organizations
    .command('usage')
    .description(
      'list the usage of all organizations in a month, for billing: most bytes stored, visits, active users, seats, e-mails of mailings',
    )
    .option('--month <month>', 'month in UTC, such as 2026-11; the current one by default')
    .addHelpText('after', examples('enfilade org usage', 'enfilade org usage --month 2026-11 --csv --out november.csv'))
    .action(async ({ data, database, month: given, ...options }: ListOptions & Place & { month?: string }) => {
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { isMonth, listMonth, measureMonths, monthOf } = await import(
        '../../src/server/features/organizations/months.ts'
      );
      const { onMachine } = await import('./machine.ts');
      const current = monthOf(systemClock.now());
      const month = given ?? current;
      if (!isMonth(month))
        throw usageError(`--month: invalid month ${month}.`, 'Use a year and a month, such as 2026-11.');
      const place = { ...(data !== undefined && { data }), ...(database !== undefined && { database }) };
      await onMachine(
        place,
        async ({ db, migrate }) => {
          await migrate();
          // The server measures every hour.
          if (month === current) await measureMonths({ db, clock: systemClock });
          const rows = (await listMonth(db, month)).map(({ storage: bytes, ...row }) => ({ ...row, bytes }));
          await printList(options, COLUMNS, rows, (row) => ({ ...row, name: row.name ?? '' }));
        },
        { isThere: true },
      );
    });
  for (const option of listOptions()) command.addOption(option);
  return command;
});
