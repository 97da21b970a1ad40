import { type AddCommand, connected, examples } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';
import { removeEach } from '../report/remove-each.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { mediaWithIds } from './each-media.ts';

export const removeMedia: AddCommand = (media) => {
  const command = media
    .command('remove')
    .description('permanently remove unused files from the media library')
    .argument('<ids...>', 'file IDs')
    .option('--force', 'include files in use', false)
    .addHelpText('after', examples('enfilade media remove 7 8'))
    .action(
      connected(async ({ client }, ids: string[], { force, ...safety }: Safety & { force: boolean }) => {
        const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
        if (wrong) throw usageError(`Invalid ID: "${wrong}".`, 'Run enfilade media list to list IDs.');
        const query = { force: force ? '1' : '0' } as const;
        const files = await mediaWithIds(client, [...new Set(ids.map(Number))]);
        const missing = ids.find((id) => !files.has(Number(id)));
        if (missing) throw wrongError(`File ${missing} not found.`, 'Run enfilade media list to list IDs.');
        await withConsent(safety, async (isTried) => {
          if (!isTried) await removeEach([...files.keys()], (id) => client.media.remove({ params: { id }, query }));
          else for (const { id, name } of files.values()) process.stdout.write(`Would remove ${id}: ${name}\n`);
          return true;
        });
      }),
    );
  askFirst(command);
};
