import { examples } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { type Place, withPlace } from './place.ts';

export const listAll = withPlace((organizations) => {
  const command = organizations
    .command('list')
    .description('list the organizations on this machine with their state, usage and limits')
    .addHelpText('after', examples('enfilade org list', 'enfilade org list --json'))
    .action(async ({ data, database, ...options }: ListOptions & Place) => {
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { QUOTAS } = await import('../../src/contract/entities.ts');
      const { listHosts } = await import('../../src/server/features/organizations/further-hosts.ts');
      const { stateName } = await import('../../src/server/features/organizations/life-cycle.ts');
      const { listOrganizations } = await import('../../src/server/features/organizations/queries.ts');
      const { usageOf } = await import('../../src/server/core/limits/quotas.ts');
      const { onMachine } = await import('./machine.ts');
      const { usageText } = await import('./usage-text.ts');
      await onMachine(
        { data, database },
        async ({ db, migrate }) => {
          await migrate();
          const rows = await listOrganizations(db);
          const list = [];
          for (const row of rows) {
            const { id, name, host, suspended_at, delete_after, created_at } = row;
            const hosts = await listHosts(db, row);
            const usage = await usageOf({ db, clock: systemClock }, id);
            list.push({ id, name, host, hosts, state: stateName(row), suspended_at, delete_after, created_at, usage });
          }
          const columns = ['id', 'name', 'hosts', ...QUOTAS, 'state', 'delete_after', 'created_at'];
          await printList(options, columns, list, ({ usage, ...row }) => ({
            ...row,
            hosts: row.hosts.join(' '),
            ...Object.fromEntries(usage.map((entry) => [entry.quota, usageText(entry)])),
          }));
        },
        { isThere: true },
      );
    });
  for (const option of listOptions()) command.addOption(option);
  return command;
});
