import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { removeEach } from '../report/remove-each.ts';

export const removeMedia: AddCommand = (media) => {
  media
    .command('remove')
    .description('remove files of the media library that nothing uses')
    .argument('<ids...>', 'ids of the files')
    .option('--force', 'also those that are in use', false)
    .addHelpText('after', examples('enfilade media remove 7 8'))
    .action(
      connected(async ({ client }, ids: string[], { force }: { force: boolean }) => {
        const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
        if (wrong) throw usageError(`"${wrong}" is no id.`, 'enfilade media list shows them.');
        const query = { force: force ? '1' : '0' } as const;
        await removeEach(ids.map(Number), (id) => client.media.remove({ params: { id }, query }));
      }),
    );
};
