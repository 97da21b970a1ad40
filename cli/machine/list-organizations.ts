import { examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { type Place, withPlace } from './place.ts';

export const listOrganizations = withPlace((organizations) => {
  const command = organizations
    .command('list')
    .description('list the organizations on this machine with their usage and limits')
    .addHelpText('after', examples('enfilade org list', 'enfilade org list --json'))
    .action(async ({ data, database, ...options }: ListOptions & Place) => {
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { QUOTAS } = await import('../../src/contract/entities.ts');
      const { usageOf } = await import('../../src/server/core/limits/quotas.ts');
      const { onMachine } = await import('./machine.ts');
      const { usageText } = await import('./usage-text.ts');
      await onMachine(
        { data, database },
        async ({ db, migrate }) => {
          await migrate();
          const rows = await db.selectFrom('organizations').select(['id', 'name', 'host']).orderBy('id').execute();
          const list = [];
          for (const row of rows) list.push({ ...row, usage: await usageOf({ db, clock: systemClock }, row.id) });
          await printList(options, ['id', 'name', 'host', ...QUOTAS], list, ({ usage, ...row }) => ({
            ...row,
            ...Object.fromEntries(usage.map((entry) => [entry.quota, usageText(entry)])),
          }));
        },
        { isThere: true },
      );
    });
  for (const option of listOptions()) command.addOption(option);
  return command;
});
