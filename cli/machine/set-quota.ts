import type { Quota } from '../../src/contract/entities.ts';
import { examples } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

type Options = Place & { json?: boolean } & Partial<Record<Quota, string>>;

const UNITS: Record<string, number> = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** Parses a limit; null for none. */
function readLimit(quota: Quota, text: string): number | null {
  if (text === 'none') return null;
  const form = quota === 'storage' ? /^(\d{1,9}(?:\.\d{1,3})?) ?(|b|kb|mb|gb|tb)$/i : /^(\d{1,12})()$/;
  const [, count, unit = ''] = form.exec(text) ?? [];
  if (count !== undefined) return Math.round(Number(count) * UNITS[unit.toLowerCase()]!);
  const example = quota === 'storage' ? 'a size such as 500MB or 50GB' : 'a whole number';
  throw usageError(`--${quota}: invalid limit ${text}.`, `Use ${example}, or none for no limit.`);
}

export const setQuota = withPlace((organizations) =>
  organizations
    .command('quota')
    .description("set limits of an organization on this machine; omitted limits don't change")
    .argument('<id>', 'number of the organization, from organizations list')
    .option('--storage <size>', 'total size of the media library, such as 50GB; none for no limit')
    .option('--spaces <number>', 'maximum spaces; none for no limit')
    .option('--structures <number>', 'maximum structures; none for no limit')
    .option('--users <number>', 'maximum users; none for no limit')
    .option('--tokens <number>', 'maximum access tokens; none for no limit')
    .option('--mails <number>', 'maximum invitations in 24 hours; none for no limit')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade org quota 2 --storage 50GB --spaces 20 --users 10 --tokens 100000 --mails 500',
        'enfilade org quota 2 --spaces none',
      ),
    )
    .action(async (id: string, { data, database, json, ...given }: Options) => {
      const { QUOTAS } = await import('../../src/contract/entities.ts');
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { changeLimits, usageOf } = await import('../../src/server/core/limits/quotas.ts');
      const { onMachine } = await import('./machine.ts');
      const { usageText } = await import('./usage-text.ts');
      const named = QUOTAS.filter((quota) => given[quota] !== undefined);
      const limits = Object.fromEntries(named.map((quota) => [quota, readLimit(quota, given[quota]!)]));
      if (named.length === 0) throw usageError('No limit specified.', 'Specify one, such as --spaces 20.');
      await onMachine(
        { data, database },
        async ({ db, migrate }) => {
          await migrate();
          const organization = /^\d{1,15}$/.test(id) ? await changeLimits(db, Number(id), limits) : null;
          if (!organization)
            throw wrongError(`Organization ${id} not found.`, 'Run enfilade org list to list organizations.');
          const usage = await usageOf({ db, clock: systemClock }, Number(id));
          const width = Math.max(...QUOTAS.map((quota) => quota.length));
          const lines = usage.map((entry) => `${entry.quota.padEnd(width)}  ${usageText(entry)}`);
          const text = `Organization ${id}: ${organization}\n${lines.join('\n')}\n`;
          await writeOutput(undefined, json ? jsonText({ id: Number(id), usage }) : text);
        },
        { isThere: true },
      );
    }),
);
