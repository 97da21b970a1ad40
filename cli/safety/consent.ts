import { type Command, Option } from 'commander';
import { CliError, EXIT } from '../failure.ts';
import { askText } from '../io/ask.ts';

/** Options of every bulk or destructive command. */
export interface Safety {
  dryRun: boolean;
  yes: boolean;
}

/** Adds the confirmation options to a command. */
export function askFirst(command: Command): void {
  command.addOption(new Option('--dry-run', 'print what the command would do, without doing it').default(false));
  command.addOption(
    new Option('--yes', 'skip the confirmation; required without a terminal (or ENFILADE_YES=1)').default(false),
  );
}

/** Whether interactive confirmation is possible. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** The mode that the options select: dry run, confirmed, or ask. */
function stanceOf({ dryRun, yes }: Safety): 'try' | 'agreed' | 'ask' {
  if (dryRun) return 'try';
  if (yes || process.env.ENFILADE_YES === '1') return 'agreed';
  if (hasTerminal()) return 'ask';
  throw new CliError('not_confirmed', EXIT.usage, {
    message: 'This command requires confirmation, but there is no terminal.',
    suggestion: 'Add --yes to confirm, or --dry-run for a preview.',
  });
}

async function refuseUnlessYes(): Promise<void> {
  const answer = await askText('Continue? [y/N] ');
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
  throw new CliError('not_confirmed', EXIT.wrong, {
    message: 'Nothing was changed.',
    suggestion: 'Answer y to continue.',
  });
}

/**
 * Runs a bulk or destructive operation: `--dry-run` only previews it; a terminal shows the preview, then asks for
 * confirmation; otherwise `--yes` is required.
 * @param work runs or previews the operation; returns whether there is anything to do
 * @throws CliError not_confirmed, before any request
 */
export async function withConsent(safety: Safety, work: (isTried: boolean) => Promise<boolean>): Promise<void> {
  const stance = stanceOf(safety);
  if (stance === 'try') {
    await work(true);
    return;
  }
  if (stance === 'ask') {
    if (!(await work(true))) return;
    await refuseUnlessYes();
  }
  await work(false);
}
