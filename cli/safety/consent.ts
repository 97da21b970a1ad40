import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { CliError, EXIT } from '../failure.ts';

/** What every command that changes much at once, or destroys, may be told. */
export interface Safety {
  dryRun: boolean;
  yes: boolean;
}

/** Gives a command the options of the rule: it does nothing before somebody has agreed. */
export function askFirst(command: Command): void {
  command.addOption(new Option('--dry-run', 'print what would be done, and do nothing').default(false));
  command.addOption(
    new Option('--yes', 'do it without asking; needed where there is no terminal (or ENFILADE_YES=1)').default(false),
  );
}

/** Whether somebody can be asked. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** What follows from the options: only to be tried, agreed to, or still to be asked. */
function stanceOf({ dryRun, yes }: Safety): 'try' | 'agreed' | 'ask' {
  if (dryRun) return 'try';
  if (yes || process.env.ENFILADE_YES === '1') return 'agreed';
  if (hasTerminal()) return 'ask';
  throw new CliError('not_confirmed', EXIT.usage, {
    message: 'This command asks before it changes anything, and there is no terminal to ask on.',
    suggestion: 'Add --yes to do it, or --dry-run to see what it would do.',
  });
}

async function refuseUnlessYes(): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // A Ctrl-C that the reader swallows still has to end the command.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    void lines.question('Do this? [y/N] ').then(resolve);
  });
  lines.close();
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
  throw new CliError('not_confirmed', EXIT.wrong, {
    message: 'Nothing was changed.',
    suggestion: 'Answer y to do it.',
  });
}

/**
 * Does what changes much at once, or destroys, by one rule: `--dry-run` only tells what would be done; on a terminal that is
 * told first, then asked for; elsewhere `--yes` is needed.
 * @param work does it, or only tells what it would do; says whether there is anything to do
 * @throws CliError not_confirmed, before anything is sent
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
