import { type AddCommand, examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

type Options = Place & { json?: boolean };
type Operation = 'suspend' | 'resume' | 'restore' | 'rename';

/** Runs an operation on an organization and prints its state. @param text the new name */
async function run(id: string, { json, ...place }: Options, operation: Operation, text = ''): Promise<void> {
  const { renameOrganization, restoreOrganization, resumeOrganization, stateName, suspendOrganization } = await import(
    '../../src/server/features/organizations/life-cycle.ts'
  );
  const { onOrganization } = await import('./on-organization.ts');
  const state = { suspend: suspendOrganization, resume: resumeOrganization, restore: restoreOrganization };
  await onOrganization(place, id, async (at, number) => {
    const row = await (operation === 'rename' ? renameOrganization(at, number, text) : state[operation](at, number));
    const { name, suspended_at, delete_after } = row;
    const values = { id: number, name, state: stateName(row), suspended_at, delete_after };
    const until = delete_after === null ? '' : ` until ${delete_after}`;
    await writeOutput(
      undefined,
      json ? jsonText(values) : `Organization ${number}: ${name}, ${values.state}${until}\n`,
    );
  });
}

const ID = 'number of the organization, from organizations list';

/** A command that changes the state of an organization, and takes only its number. */
const stateCommand = (name: Exclude<Operation, 'rename'>, description: string): AddCommand =>
  withPlace((organizations) =>
    organizations
      .command(name)
      .description(description)
      .argument('<id>', ID)
      .option('--json', 'print the result as JSON')
      .addHelpText('after', examples(`enfilade org ${name} 2`))
      .action((id: string, options: Options) => run(id, options, name)),
  );

export const suspendOne = stateCommand(
  'suspend',
  'take an organization out of operation: pages, API, sockets, e-mails and background work stop, its data stays',
);

export const resumeOne = stateCommand('resume', 'put a suspended organization back into operation');

export const restoreOne = stateCommand('restore', 'cancel the deletion of an organization, until its period has ended');

export const renameOne = withPlace((organizations) =>
  organizations
    .command('rename')
    .description('change the name of an organization')
    .argument('<id>', ID)
    .argument('<name>', 'the new name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade org rename 2 "City Museum"'))
    .action((id: string, name: string, options: Options) => run(id, options, 'rename', name)),
);
