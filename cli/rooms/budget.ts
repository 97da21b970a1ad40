import { Option } from 'commander';
import { formatOptions } from '../ci/problem-report.ts';
import { type AddCommand, examples } from '../command.ts';
import { DEVICES } from '../words.ts';
import type { BudgetOptions } from './print-budget.ts';

export const budget: AddCommand = (rooms) => {
  const command = rooms
    .command('budget')
    .description("estimate what a room needs of a visitor's device; with --device, ends with 1 when that is too much")
    .argument('<room>', 'a file, - for standard input, or a room on the server by id, public path or name')
    .addOption(new Option('--device <device>', 'device that must manage it').choices(DEVICES))
    .addHelpText(
      'after',
      examples(
        'enfilade rooms budget gallery',
        'enfilade rooms budget gallery.json      # its files by the server, where it has them',
        'enfilade rooms budget 12 --device phone --json',
      ),
    )
    .action(async (wanted: string, options: BudgetOptions) => {
      const { printBudget } = await import('./print-budget.ts');
      await printBudget(wanted, options);
    });
  for (const option of formatOptions()) command.addOption(option);
};
