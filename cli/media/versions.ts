import { basename } from 'node:path';
import type { MediaVersion } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { fileOnDisk } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { mediaIdOf } from './each-media.ts';

const COLUMNS = ['id', 'created_at', 'bytes', 'mime', 'width', 'height', 'url'] as const;

export const replaceMedia: AddCommand = (media) => {
  media
    .command('replace')
    .description('replace the content of a file with another one of the same type; ID, texts and all uses stay')
    .argument('<id>', 'file ID')
    .argument('<file>', 'the new file')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade media replace 7 poster-2027.jpg'))
    .action(
      connected(async ({ client }, wanted: string, path: string, { json }: { json: boolean }) => {
        const id = mediaIdOf(wanted);
        const found = await fileOnDisk(path);
        const { openAsBlob } = await import('node:fs');
        const file = new File([await openAsBlob(found.path)], basename(path));
        const replaced = await client.media.replace({ params: { id }, body: {}, files: { file } });
        process.stdout.write(json ? jsonText(replaced) : `File ${id}: ${replaced.url}\n`);
      }),
    );
};

export const listVersions: AddCommand = (media) => {
  const command = media
    .command('versions')
    .description('list the earlier versions of a replaced file, latest first')
    .argument('<id>', 'file ID')
    .addHelpText('after', examples('enfilade media versions 7'));
  for (const option of listOptions()) command.addOption(option);
  command.action(
    connected(async ({ client }, id: string, options: ListOptions) => {
      const versions: MediaVersion[] = await client.media.versions({ params: { id: mediaIdOf(id) } });
      await printList(options, [...COLUMNS], versions, (version) => version);
    }),
  );
};

export const restoreMedia: AddCommand = (media) => {
  media
    .command('restore')
    .description('restore an earlier version of a file; the current content becomes an earlier version')
    .argument('<id>', 'file ID')
    .argument('<version>', 'version ID, from `media versions`')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade media restore 7 3'))
    .action(
      connected(async ({ client }, id: string, version: string, { json }: { json: boolean }) => {
        const body = { version_id: mediaIdOf(version) };
        const file = await client.media.restore({ params: { id: mediaIdOf(id) }, body });
        process.stdout.write(json ? jsonText(file) : `File ${file.id}: ${file.url}\n`);
      }),
    );
};
