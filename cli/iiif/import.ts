import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import type { IiifImport, IiifSource } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { EXIT, usageError, wrongError } from '../failure.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

interface Options extends Safety {
  name?: string;
  path?: string;
  limit?: number;
  json: boolean;
}

const count = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 1000)
    throw new InvalidArgumentError('Use a number from 1 to 1000.');
  return Number(text);
};

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/** Works of a plan that are listed. */
const MAX_LISTED = 20;

/** What would be imported, as text. */
function planText(name: string, { works, remarks, language, languages }: IiifSource): string {
  const spoken = [language, ...languages].filter((each) => each !== null);
  const more = works.length - MAX_LISTED;
  return [
    `Would create ${name} with ${counted(works.length, 'work')}${spoken.length > 0 ? `, in ${spoken.join(', ')}` : ''}`,
    ...works.slice(0, MAX_LISTED).map(({ kind, title, key }) => `  ${kind.padEnd(5)}  ${title || key}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...remarks.map((remark) => `  remark  ${remark}`),
    '',
  ].join('\n');
}

function importText(name: string, { room_id, hung, job }: IiifImport, remarks: readonly string[]): string {
  return [
    `Room ${room_id}: ${name}, ${counted(hung, 'work')}`,
    ...remarks.map((remark) => `  remark  ${remark}`),
    ...(job === null ? [] : [`  Run \`enfilade undo ${job}\` to undo this.`]),
    '',
  ].join('\n');
}

export const importManifest: AddCommand = (iiif) => {
  const command = iiif
    .command('import')
    .description('hang the works of a IIIF manifest or collection in a new room (Presentation API 2 and 3)')
    .argument('<source>', 'URL of a manifest or collection, or a JSON file; - for standard input')
    .option('--name <name>', 'name of the room; the label of the manifest if omitted')
    .option('--path <path>', 'public path of a new structure that shows the room, such as museum')
    .option('--limit <count>', 'maximum number of canvases; 1000 if omitted', count)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examples(
        'enfilade iiif import https://example.org/iiif/manifest.json --dry-run',
        'enfilade iiif import collection.json --name Prints --path prints --limit 100',
      )}

The server downloads the images. What can't be imported, or differs from the manifest, is listed line by line. To undo it,
use enfilade undo with the job number that it prints. The images stay in the media library.`,
    )
    .action(
      connected(async ({ client }, source: string, options: Options) => {
        const { readText } = await import('../io/read-file.ts');
        const { MAX_CANVASES, MAX_MANIFEST } = await import('../../src/contract/entities.ts');
        const { hangFiles, storeFiles } = await import('../../src/contract/iiif-sending.ts');
        const { jsonText } = await import('../io/write-output.ts');
        const { path, json, limit = MAX_CANVASES } = options;
        const read = async () => {
          const isUrl = /^https?:\/\//i.test(source);
          const origin: { url?: string; manifest?: string } = isUrl
            ? { url: source }
            : { manifest: await readText(source) };
          if (origin.manifest && origin.manifest.length > MAX_MANIFEST)
            throw wrongError('The manifest is longer than 5 MB.', 'Split it, or use its URL.');
          const found = await client.iiif.read({ body: { ...origin, limit } });
          const name = options.name ?? found.title;
          if (name.trim() === '') throw usageError('The manifest has no label.', 'Specify a name with --name.');
          const space = { name, ...(path !== undefined && { endpoint: { path, name } }) };
          // A name or path that is taken shows before the downloads.
          await client.iiif.hang({ body: { ...space, files: [], dry_run: true }, idempotencyKey: randomUUID() });
          return { found, space };
        };
        let pending: ReturnType<typeof read> | undefined;
        const stored = new Map<number, number>();
        await withConsent(options, async (isTried) => {
          pending ??= read();
          const { found, space } = await pending;
          if (isTried) {
            process.stdout.write(json ? jsonText(found) : planText(space.name, found));
            return true;
          }
          const onWork = (done: number, all: number) => {
            if (!json && done < all) process.stderr.write(`Downloading ${done + 1} of ${all}\n`);
          };
          const remarks = [...found.remarks, ...(await storeFiles(client, found.works, { onWork, stored }))];
          if (stored.size === 0) throw wrongError('No file could be downloaded.', remarks.slice(0, 3).join(' '));
          const made = await hangFiles(client, found, space, stored);
          const all = [...remarks, ...made.remarks];
          process.stdout.write(json ? jsonText({ ...made, remarks: all }) : importText(space.name, made, all));
          if (made.hung < found.works.length) process.exitCode = EXIT.wrong;
          return true;
        });
      }),
    );
  askFirst(command);
};
