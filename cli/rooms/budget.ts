import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { DEVICES } from '../words.ts';
import type { BudgetOptions } from './print-budget.ts';

export const budget: AddCommand = (rooms) => {
  rooms
    .command('budget')
    .description("estimate what a room needs of a visitor's device; with --device, ends with 1 when that is too much")
    .argument('<room>', 'id, public path or name of a room')
    .addOption(new Option('--device <device>', 'device that must manage it').choices(DEVICES))
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade rooms budget gallery', 'enfilade rooms budget 12 --device phone --json'))
    .action(
      connected(async (connection, wanted: string, options: BudgetOptions) => {
        const { printBudget } = await import('./print-budget.ts');
        await printBudget(connection, wanted, options);
      }),
    );
};
