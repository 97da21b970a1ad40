import { Option } from 'commander';
import type { MediaTexts } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { mediaIdOf } from './each-media.ts';

type Texts = Partial<Omit<MediaTexts, 'keywords'> & { name: string; keywords: string }>;

/** Options as the command receives them. */
type Options = Omit<Texts, 'long_description'> & { longDescription?: string; json: boolean };

const TEXTS: Record<keyof Texts, string> = {
  name: 'file name',
  title: 'title',
  creator: 'creator',
  date: 'creation date',
  description: 'description',
  alt: 'alternative text',
  long_description: 'detailed description',
  transcript: 'transcript of audio or a video',
  credit: 'credit line',
  rights: 'copyright',
  keywords: 'keywords, separated by commas',
};

export const updateMedia: AddCommand = (media) => {
  const command = media
    .command('update')
    .description('change the name and the texts of a file; elements that use it keep their own texts')
    .argument('<id>', 'file ID')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade media update 7 --title "Night Watch" --alt "A company of guards"'));
  for (const [name, description] of Object.entries(TEXTS))
    command.addOption(new Option(`--${name.replace('_', '-')} <text>`, description));
  command.action(
    connected(async ({ client }, id: string, options: Options) => {
      const { json, keywords, longDescription, ...texts } = options;
      const words = keywords
        ?.split(',')
        .map((word) => word.trim())
        .filter(Boolean);
      const body = {
        ...texts,
        ...(longDescription !== undefined && { long_description: longDescription }),
        ...(words && { keywords: words }),
      };
      if (Object.keys(body).length === 0) throw usageError('Nothing to change.', 'Name a text, such as --title.');
      const file = await client.media.update({ params: { id: mediaIdOf(id) }, body });
      process.stdout.write(json ? jsonText(file) : `File ${file.id}: ${file.title || file.name}\n`);
    }),
  );
};
