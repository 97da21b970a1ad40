import { type AddCommand, connected, examples } from '../command.ts';
import { removeEach } from '../report/remove-each.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { filesWithIds } from './each-media.ts';

export const removeMedia: AddCommand = (media) => {
  const command = media
    .command('remove')
    .description('permanently remove unused files from the media library')
    .argument('<ids...>', 'file IDs')
    .option('--force', 'include files in use', false)
    .addHelpText('after', examples('enfilade media remove 7 8'))
    .action(
      connected(async ({ client }, ids: string[], { force, ...safety }: Safety & { force: boolean }) => {
        const query = { force: force ? '1' : '0' } as const;
        const files = await filesWithIds(client, ids);
        await withConsent(safety, async (isTried) => {
          const wanted = files.map(({ id }) => id);
          if (!isTried) await removeEach(wanted, (id) => client.media.remove({ params: { id }, query }));
          else for (const { id, name } of files) process.stdout.write(`Would remove ${id}: ${name}\n`);
          return true;
        });
      }),
    );
  askFirst(command);
};
