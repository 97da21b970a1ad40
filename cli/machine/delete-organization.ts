import { examples } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';
import { askText } from '../io/ask.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { askFirst, hasTerminal, type Safety, withConsent } from '../safety/consent.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place, Safety {
  after?: string;
  now?: boolean;
  confirm?: string;
  json?: boolean;
}

/** The period in days; null for none. */
function daysOf({ after, now = false }: Options): number | null {
  if (now && after !== undefined) throw usageError('--now excludes --after.', 'Use one of them.');
  if (now) return null;
  if (after !== undefined && !/^\d{1,5}$/.test(after))
    throw usageError(`--after: invalid number of days ${after}.`, 'Use a whole number, such as 30.');
  return Number(after ?? 30);
}

export const deleteOrganization = withPlace((organizations) => {
  const command = organizations
    .command('delete')
    .description('suspend an organization, and delete its data after a period, until which it can be restored')
    .argument('<id>', 'number of the organization, from organizations list')
    .option('--after <days>', 'days until its data is deleted; 30 by default')
    .option('--now', 'delete its data now; requires its name as confirmation')
    .option('--confirm <name>', 'name of the organization, for --now; asked on a terminal')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade org delete 2 --dry-run',
        'enfilade org delete 2 --after 90 --yes',
        'enfilade org delete 2 --now --confirm "City Museum" --yes',
      ),
    )
    .action(async (id: string, options: Options) => {
      const { data, database, dryRun, yes, json, confirm } = options;
      const days = daysOf(options);
      const service = await import('../../src/server/features/organizations/life-cycle.ts');
      const { onOrganization } = await import('./on-organization.ts');
      const place = { ...(data !== undefined && { data }), ...(database !== undefined && { database }) };
      await onOrganization(place, id, (at, number) =>
        withConsent({ dryRun, yes }, async (isTried) => {
          const found = await service.findToOperate(at.db, number);
          const { name } = found;
          if (isTried) {
            const when = days === null ? 'now' : `after ${days} ${days === 1 ? 'day' : 'days'}`;
            await service.refuseDeletion(at.db, found, days);
            await writeOutput(
              undefined,
              `Would suspend organization ${number}: ${name}, and delete its data ${when}.\n`,
            );
            return true;
          }
          if (days === null) {
            const typed =
              confirm ?? (hasTerminal() ? await askText(`Type the name of the organization (${name}): `) : '');
            if (typed.trim() !== name)
              throw wrongError(
                `The confirmation doesn't match the name of organization ${number}.`,
                'Nothing was changed. Pass its exact name with --confirm.',
              );
          }
          const row = await service.deleteOrganization(at, number, days);
          const { delete_after } = row;
          const next =
            days === null
              ? 'A running server deletes its data within a minute, otherwise the next one that starts.'
              : `Its data is deleted after ${delete_after}. Until then, enfilade org restore ${number} cancels it.`;
          const text = `Organization ${number}: ${name}, deleted\n${next}\n`;
          await writeOutput(undefined, json ? jsonText({ id: number, name, state: 'deleted', delete_after }) : text);
          return true;
        }),
      );
    });
  askFirst(command);
  return command;
});
