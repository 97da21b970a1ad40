import { type AddCommand, connected, examples } from '../command.ts';
import { addContentOptions, type Contents, kindsOf } from './options.ts';

export const exportOrganization: AddCommand = (organizations) => {
  const command = organizations
    .command('export')
    .description(
      'export a whole organization: rooms, templates, blocks, structures, media, feeds, live streams, settings, webhooks and users, without secrets',
    )
    .requiredOption('--out <place>', 'ZIP file, folder for one file per room, or - for a ZIP on standard output')
    .option('--originals', 'include original uploads, which an import stores again', false)
    .addHelpText(
      'after',
      `${examples(
        'enfilade org export --out museum.zip',
        'enfilade org export --out museum/ --skip users webhooks',
        'enfilade org export --out museum.zip --tokens --originals',
      )}

The export contains names, public paths and hashes instead of IDs, so that another organization can import it. Passwords, keys,
signing secrets, statistics, revisions and shared messages aren't part of it. Exports of an unchanged
organization differ only in their date.`,
    )
    .action(
      connected(async (connection, { out, ...contents }: Contents & { out: string }) => {
        const { readServer } = await import('./read-server.ts');
        const { writeArchive } = await import('./write-archive.ts');
        const { notifyNotes } = await import('../report/notes.ts');
        const snapshot = await readServer(connection, await kindsOf(contents), contents.originals ?? false);
        notifyNotes(snapshot.remarks, false);
        const count = await writeArchive(out, snapshot);
        process.stderr.write(`${count} files written to ${out}.\n`);
      }),
    );
  addContentOptions(command);
};
