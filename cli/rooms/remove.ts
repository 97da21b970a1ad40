import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findRoom } from './find-room.ts';

export const removeRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('remove')
    .description('remove rooms; undo, or the history of the back-office, restores them for 30 days')
    .argument('<rooms...>', 'ids, public paths or names')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade rooms remove 12 13', 'enfilade rooms remove "Old hall"'))
    .action(
      connected(async ({ client }, given: string[], options: Safety & { json: boolean }) => {
        // All of them are found before the first one goes.
        const ids: number[] = [];
        for (const room of given) ids.push(await findRoom(client, room));
        const { removeThings } = await import('../safety/remove-things.ts');
        const removal = { kind: 'rooms', ids, json: options.json } as const;
        await withConsent(options, (isTried) => removeThings(client, removal, isTried));
      }),
    );
  askFirst(command);
};
