import { examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place {
  add: string[];
  remove: string[];
  primary?: string;
  json?: boolean;
}

const collect = (value: string, values: string[]): string[] => [...values, value];

export const changeHosts = withPlace((organizations) =>
  organizations
    .command('hosts')
    .description(
      'list or change the host names of an organization; visitors of the others are redirected to the primary',
    )
    .argument('<id>', 'number of the organization, from organizations list')
    .option('--add <name>', 'add a host name, such as rooms.example.com; repeatable', collect, [])
    .option('--remove <name>', 'remove a host name; repeatable', collect, [])
    .option('--primary <name>', 'make one of the host names the primary one')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade org hosts 2',
        'enfilade org hosts 2 --add rooms.museum.example --add www.museum.example',
        'enfilade org hosts 2 --primary www.museum.example --remove rooms.museum.example',
      ),
    )
    .action(async (id: string, { add, remove, primary, json, ...place }: Options) => {
      const service = await import('../../src/server/features/organizations/further-hosts.ts');
      const { onOrganization } = await import('./on-organization.ts');
      await onOrganization(place, id, async (at, number) => {
        const changes = { add, remove, ...(primary !== undefined && { primary }) };
        const hosts = await service.changeHosts(at, number, changes);
        const lines = hosts.map((host, index) => `${host}${index === 0 ? '  (primary)' : ''}\n`);
        const text =
          hosts.length === 0 ? 'None: it answers on all host names of no other organization.\n' : lines.join('');
        await writeOutput(undefined, json ? jsonText({ id: number, hosts }) : text);
      });
    }),
);
