import { type AddCommand, connected, examples } from '../command.ts';
import { eachEntry } from '../report/pages.ts';
import { findByName } from '../resource.ts';
import { printOutcome } from './outcome.ts';

export const mailingStatus: AddCommand = (mailings) => {
  mailings
    .command('status')
    .description('print the state of a mailing; exit code 1 unless all e-mails were sent')
    .argument('<mailing>', 'name or ID')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade mailings status "Opening"', 'enfilade mailings status 12 --json'))
    .action(
      connected(async ({ client }, given: string, { json }: { json: boolean }) => {
        const all = eachEntry((page) => client.mailings.list({ query: page }));
        await printOutcome(client, await findByName(all, given, 'mailing'), json);
      }),
    );
};
