import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findRoom } from './find-room.ts';
import type { ReplaceOptions } from './replace-texts.ts';

interface Options extends ReplaceOptions, Safety {}

export const replaceTexts: AddCommand = (rooms) => {
  const command = rooms
    .command('replace')
    .description('find and replace in all texts of a room; ends with 1 if a text would become too long')
    .argument('<room>', 'ID, public path or name of a room')
    .argument('<find>', 'text to find; taken literally')
    .argument('<replacement>', 'text to put in its place')
    .option('--match-case', 'distinguish upper and lower case', false)
    .option('--whole-words', 'find whole words only', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade rooms replace gallery "2026" "2027" --dry-run',
        'enfilade rooms replace gallery Winter Summer --match-case --whole-words',
      ),
    )
    .action(
      connected(async ({ client }, room: string, find: string, replacement: string, options: Options) => {
        const id = await findRoom(client, room);
        const { replaceInRoom } = await import('./replace-texts.ts');
        await withConsent(options, (isTried) => replaceInRoom(client, { id, find, replacement, options, isTried }));
      }),
    );
  askFirst(command);
};
