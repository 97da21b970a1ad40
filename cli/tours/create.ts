import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import type { TourLinks } from '../../engine/document/tour-edits.ts';
import type { TourPlan } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { TOUR_LINKS } from '../words.ts';
import type { FoundPhotos, Rejected } from './photos.ts';

interface Options extends Safety {
  name: string;
  links: TourLinks;
  path?: string;
  json: boolean;
}

const ORDERS: Record<TourPlan['order'], string> = {
  given: 'as given',
  capture_time: 'by capture time',
  file_name: 'by file name',
};
const POSITIONS: Record<TourPlan['positions'], string> = {
  gps: 'positions from GPS',
  grid: 'positions in a grid',
};

/** The plan or the result of creating a tour, as text. */
function tourText(name: string, plan: TourPlan, rejected: readonly Rejected[], isTried: boolean): string {
  const { places, skipped, job, room_id, order, positions } = plan;
  const width = Math.max(...places.map((place) => place.name.length));
  const lines = places.map(({ name: title, file_name, heading, links }, index) => {
    const linked = `${links.length} ${links.length === 1 ? 'link' : 'links'}`;
    return `  ${String(index + 1).padStart(3)}  ${title.padEnd(width)}  ${Math.round(heading)}°  ${linked}  ${file_name}`;
  });
  const left = [...rejected, ...skipped.map(({ file_name, reason }) => ({ file: file_name, reason }))];
  const unaligned = places.filter(({ notes }) => notes.length > 0).length;
  return [
    `${isTried ? 'Would create' : `Room ${room_id}:`} ${name}, ${places.length} places, ${ORDERS[order]}, ${POSITIONS[positions]}`,
    ...lines,
    ...(unaligned > 0 ? [`  Without a recorded direction: ${unaligned}. Align them in the editor.`] : []),
    ...left.map(({ file, reason }) => `  skipped  ${file}: ${reason}`),
    ...(job === null ? [] : [`  Run \`enfilade undo ${job}\` to undo this.`]),
    '',
  ].join('\n');
}

/** The preview of a tour whose photos the server doesn't have yet. */
function uploadText(name: string, { ids, missing }: FoundPhotos): string {
  const megabytes = missing.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
  return [
    `Would upload ${missing.length} of ${ids.length + missing.length} photos (${megabytes.toFixed(1)} MB), and create ${name} from them:`,
    ...missing.map(({ path }) => `  upload  ${path}`),
    '  For a plan of all places, run `enfilade media import` first: order, directions and positions come from the photos.',
    '',
  ].join('\n');
}

export const createTour: AddCommand = (tours) => {
  const command = tours
    .command('create')
    .description(
      'create a tour from a folder of 360° photos; photos that are in the media library are not uploaded again',
    )
    .argument('<folder>', 'folder with 2 to 200 equirectangular images')
    .requiredOption('--name <name>', 'name of the tour')
    .addOption(
      new Option(
        '--links <links>',
        'links between places, both ways: none, each with the next, or neighbors by position',
      )
        .choices(TOUR_LINKS)
        .default('consecutive'),
    )
    .option('--path <path>', 'public path of a new structure that shows the tour, such as museum')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examples(
        'enfilade tours create photos --name Museum --dry-run',
        'enfilade tours create photos --name Museum --path museum --links neighbors',
      )}

To undo it, use enfilade undo with the job number that it prints. The photos stay in the media library.`,
    )
    .action(
      connected(async ({ client }, folder: string, options: Options) => {
        const { findPhotos, photosIn, uploadPhotos } = await import('./photos.ts');
        const { jsonText } = await import('../io/write-output.ts');
        const { name, links, path, json } = options;
        await withConsent(options, async (isTried) => {
          const found = await findPhotos(client, await photosIn(folder));
          if (isTried && found.missing.length > 0) {
            process.stdout.write(json ? jsonText({ places: null, uploads: found.missing }) : uploadText(name, found));
            return true;
          }
          const { ids: files, rejected } = await uploadPhotos(client, found, json);
          const endpoint = path === undefined ? {} : { endpoint: { path, name } };
          const body = { name, links, files, dry_run: isTried, ...endpoint };
          const plan = await client.tours.create({ body, idempotencyKey: randomUUID() });
          process.stdout.write(json ? jsonText({ ...plan, rejected }) : tourText(name, plan, rejected, isTried));
          return true;
        });
      }),
    );
  askFirst(command);
};
