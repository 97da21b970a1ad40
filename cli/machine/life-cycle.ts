import type { Shared } from '../../src/server/features/organizations/life-cycle.ts';
import type { StoredOrganization } from '../../src/server/features/organizations/queries.ts';
import { type AddCommand, examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

type Service = typeof import('../../src/server/features/organizations/life-cycle.ts');
type Operation = (service: Service) => (at: Shared, id: number) => Promise<StoredOrganization>;

/** Prints an organization after a change. */
async function print(service: Service, row: StoredOrganization, json: boolean | undefined): Promise<void> {
  const { id, name, suspended_at, delete_after } = row;
  const state = service.stateName(row);
  const text = `Organization ${id}: ${name}, ${state}${delete_after === null ? '' : ` until ${delete_after}`}\n`;
  await writeOutput(undefined, json ? jsonText({ id, name, state, suspended_at, delete_after }) : text);
}

async function run(id: string, { json, ...place }: Place & { json?: boolean }, operation: Operation): Promise<void> {
  const service = await import('../../src/server/features/organizations/life-cycle.ts');
  const { onOrganization } = await import('./on-organization.ts');
  await onOrganization(place, id, async (at, number) => print(service, await operation(service)(at, number), json));
}

const ID = 'number of the organization, from organizations list';

/** A command that changes the state of an organization, and takes only its number. */
const stateCommand = (name: string, description: string, operation: Operation): AddCommand =>
  withPlace((organizations) =>
    organizations
      .command(name)
      .description(description)
      .argument('<id>', ID)
      .option('--json', 'print the result as JSON')
      .addHelpText('after', examples(`enfilade organizations ${name} 2`))
      .action((id: string, options: Place & { json?: boolean }) => run(id, options, operation)),
  );

export const suspendOrganization = stateCommand(
  'suspend',
  'take an organization out of operation: pages, API, sockets, e-mails and background work stop, its data stays',
  ({ suspendOrganization: suspend }) => suspend,
);

export const resumeOrganization = stateCommand(
  'resume',
  'put a suspended organization back into operation',
  ({ resumeOrganization: resume }) => resume,
);

export const restoreOrganization = stateCommand(
  'restore',
  'cancel the deletion of an organization, until its period has ended',
  ({ restoreOrganization: restore }) => restore,
);

export const renameOrganization = withPlace((organizations) =>
  organizations
    .command('rename')
    .description('change the name of an organization')
    .argument('<id>', ID)
    .argument('<name>', 'the new name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade organizations rename 2 "City Museum"'))
    .action((id: string, name: string, options: Place & { json?: boolean }) =>
      run(
        id,
        options,
        ({ renameOrganization: rename }) =>
          (at, number) =>
            rename(at, number, name),
      ),
    ),
);
