import { InvalidArgumentError, Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { LAYOUTS } from '../words.ts';
import { findRoom } from './find-room.ts';
import type { HangOptions } from './hang-works.ts';

interface Options extends HangOptions, Safety {}

/** A length in centimeters. */
const centimeters = (text: string): number => {
  const value = Number(text.replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > 10_000)
    throw new InvalidArgumentError('Use a number of centimeters from 0 to 10,000.');
  return value;
};

export const hangWorks: AddCommand = (rooms) => {
  const command = rooms
    .command('hang')
    .description(
      'hang works from a spreadsheet on the walls of a room, with captions; ends with 1 if a row is left out',
    )
    .argument('<room>', 'ID, public path or name of a room')
    .argument('<sheet>', 'XLSX, CSV or TSV with a heading: image, title, artist, year, size or width and height, text')
    .option('--images <folder>', 'folder with images that the sheet names; they are added to the media library')
    .option(
      '--wall <walls>',
      'comma-separated walls: front, right, back, left, or names of walls in the room; all by default',
    )
    .addOption(
      new Option('--layout <layout>', 'one row, several rows, or a dense hang').choices(LAYOUTS).default('row'),
    )
    .option('--center <cm>', 'height of the center line above the floor; 155 by default', centimeters)
    .option('--bottom <cm>', 'height of the lower edges above the floor, instead of a center line', centimeters)
    .option('--gap <cm>', 'gap between works', centimeters, 30)
    .option('--height <cm>', 'height of all works, instead of their real sizes', centimeters)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examples(
        'enfilade rooms hang gallery works.xlsx --dry-run',
        'enfilade rooms hang gallery works.csv --images scans --wall front,left --layout salon --gap 15',
      )}

Sizes are centimeters unless the sheet names a unit. To undo it, use Undo in the history of the editor.`,
    )
    .action(
      connected(async ({ client }, room: string, sheet: string, options: Options) => {
        const id = await findRoom(client, room);
        const { hangSheet } = await import('./hang-works.ts');
        await withConsent(options, (isTried) => hangSheet(client, { id, sheet, options, isTried }));
      }),
    );
  askFirst(command);
};
