import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findRoom } from './find-room.ts';

export const unpublishRoom: AddCommand = (rooms) => {
  const command = rooms
    .command('unpublish')
    .description('unpublish a room; structures that show the published version are closed')
    .argument('<room>', 'ID, public path or name of a room')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples('enfilade rooms unpublish gallery --dry-run', 'enfilade rooms unpublish gallery --yes'),
    )
    .action(
      connected(async ({ client }, room: string, options: Safety & { json: boolean }) => {
        const id = await findRoom(client, room);
        const { unpublish } = await import('./publishing.ts');
        await withConsent(options, (isTried) => unpublish(client, { id, json: options.json }, isTried));
      }),
    );
  askFirst(command);
};
