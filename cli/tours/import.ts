import { randomUUID } from 'node:crypto';
import type { TourImportPlan } from '../../src/contract/entities.ts';
import { TOUR_FORMAT_NAMES } from '../../src/contract/tour-limits.ts';
import type { FailedPlace } from '../../src/contract/tour-sending.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

interface Options extends Safety {
  name?: string;
  path?: string;
  json: boolean;
}

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/** The plan or the result of an import, as text. */
function importText(name: string, plan: TourImportPlan, failed: readonly FailedPlace[], isTried: boolean): string {
  const { places, left_out, job, room_id, format, positions, start } = plan;
  const width = Math.max(...places.map((place) => place.name.length));
  const lines = places.map(({ key, name: title, heading, links, hotspots, source }, index) => {
    const images = source.kind === 'cube' ? `cube map, ${counted(source.tiles.length, 'image')}` : source.file;
    const facts = `${Math.round(heading)}°  ${counted(links.length, 'link')}  ${counted(hotspots, 'hotspot')}  ${images}`;
    return `  ${String(index + 1).padStart(3)}  ${title.padEnd(width)}  ${facts}${key === start ? '  (start)' : ''}`;
  });
  const from = `${TOUR_FORMAT_NAMES[format]}, ${counted(places.length, 'place')}, positions ${positions === 'gps' ? 'from GPS' : 'in a grid'}`;
  return [
    `${isTried ? 'Would create' : `Room ${room_id}:`} ${name}, from ${from}`,
    ...lines,
    ...failed.map(({ key, reason }) => `  left out  Scene “${key}”: ${reason}`),
    ...left_out.map((line) => `  left out  ${line}`),
    ...(job === null ? [] : [`  Run \`enfilade undo ${job}\` to undo this.`]),
    '',
  ].join('\n');
}

export const importTour: AddCommand = (tours) => {
  const command = tours
    .command('import')
    .description('import a tour made for Pannellum, Marzipano, Photo Sphere Viewer or krpano; its scripts are not run')
    .argument('<path>', 'folder or ZIP archive of the tour, or its configuration file (JSON, data.js or XML)')
    .option('--name <name>', 'name of the tour; its title if omitted')
    .option('--path <path>', 'public path of a new structure that shows the tour, such as museum')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examples(
        'enfilade tours import old-tour --dry-run',
        'enfilade tours import old-tour/tour.xml --name Museum --path museum',
      )}

What can't be imported is listed line by line. To undo it, use enfilade undo with the job number that it prints. The
panoramas stay in the media library.`,
    )
    .action(
      connected(async ({ client }, source: string, options: Options) => {
        const { tourFiles } = await import('./tour-folder.ts');
        const { findTourConfigs } = await import('../../src/contract/tour-files.ts');
        const { finishImport, planImport, sendPanoramas } = await import('../../src/contract/tour-sending.ts');
        const { jsonText } = await import('../io/write-output.ts');
        const { path, json } = options;
        const read = async () => {
          const { files, main } = await tourFiles(source);
          const configs = await findTourConfigs(files, main);
          if (!configs)
            throw usageError(
              `${source} contains no tour.`,
              'Specify the configuration file of Pannellum, Marzipano, Photo Sphere Viewer or krpano.',
            );
          // The title is in the configuration, which only the server reads.
          const name =
            options.name ?? (await planImport(client, files, configs, { name: `Plan ${randomUUID()}` })).plan.title;
          if (name.trim() === '') throw usageError('The tour has no title.', 'Specify a name with --name.');
          return { files, configs, tour: { name, ...(path !== undefined && { endpoint: { path, name } }) } };
        };
        const sent = new Map<string, number>();
        let found: ReturnType<typeof read> | undefined;
        await withConsent(options, async (isTried) => {
          found ??= read();
          const { files, configs, tour } = await found;
          const { name } = tour;
          const { plan, missing } = await planImport(client, files, configs, tour);
          if (isTried) {
            process.stdout.write(json ? jsonText({ ...plan, failed: missing }) : importText(name, plan, missing, true));
            return true;
          }
          const onPlace = (done: number, all: number) => {
            if (!json && done < all) process.stderr.write(`Uploading place ${done + 1} of ${all}\n`);
          };
          const failed = [...missing, ...(await sendPanoramas(client, files, plan, { onPlace, sent }))];
          const made = await finishImport(client, configs, tour, { sent, without: failed });
          process.stdout.write(json ? jsonText({ ...made, failed }) : importText(name, made, failed, false));
          return true;
        });
      }),
    );
  askFirst(command);
};
