import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findRoom } from './find-room.ts';

interface Options extends Safety {
  at?: string;
  zone?: string;
  revision?: string;
  json: boolean;
}

/** @throws CliError if the options contradict each other */
function checkOptions({ at, zone, revision }: Options): void {
  if ((at === undefined) !== (zone === undefined))
    throw usageError(
      '--at and --zone must be used together.',
      'Use both, such as --at 2026-03-29T19:55 --zone Europe/Amsterdam.',
    );
  if (revision !== undefined && !/^[1-9]\d{0,14}$/.test(revision))
    throw usageError(`Invalid revision: "${revision}".`, 'Use its number. --dry-run shows earlier publications.');
}

export const publishRoom: AddCommand = (rooms) => {
  const command = rooms
    .command('publish')
    .description('publish a room in its current state, to structures that show the published version')
    .argument('<room>', 'ID, public path or name of a room')
    .option('--at <time>', "local publication time in the zone, of the room's current state; now by default")
    .option('--zone <zone>', 'IANA time zone of --at, such as Europe/Amsterdam')
    .option('--revision <number>', 'publish a revision of the room, such as an earlier publication')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade rooms publish gallery --dry-run',
        'enfilade rooms publish gallery --yes',
        'enfilade rooms publish gallery --at 2026-03-29T19:55 --zone Europe/Amsterdam --yes',
        'enfilade rooms publish gallery --revision 12 --yes',
      ),
    )
    .action(
      connected(async ({ client }, room: string, options: Options) => {
        checkOptions(options);
        const id = await findRoom(client, room);
        const { at, zone, revision, json } = options;
        const { publish } = await import('./publishing.ts');
        const body = {
          ...(at !== undefined && { at, zone }),
          ...(revision !== undefined && { revision_id: Number(revision) }),
        };
        await withConsent(options, (isTried) => publish(client, { id, body, json }, isTried));
      }),
    );
  askFirst(command);
};
