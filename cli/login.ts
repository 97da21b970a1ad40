import { type AddCommand, examples } from './command.ts';
import { connectTo, keepLogin, loginFile, originOf } from './connection.ts';
import { usageError } from './failure.ts';
import { askSecret } from './io/ask.ts';

export const login: AddCommand = (program) => {
  program
    .command('login')
    .description('keep the address and the key of a server, readable by you only')
    .option('--url <url>', 'address of the server (ENFILADE_URL)')
    .addHelpText(
      'after',
      examples(
        'enfilade login --url https://rooms.example.com        # asks for the API key',
        'enfilade login --url https://rooms.example.com < key.txt',
      ),
    )
    .action(async ({ url = process.env.ENFILADE_URL }: { url?: string }) => {
      if (!url) throw usageError('No server is named.', 'Add --url https://rooms.example.com.');
      const origin = originOf(url);
      const key = await askSecret('API key');
      const { client } = connectTo(origin, key);
      const { name } = await client.users.active();
      keepLogin({ url: origin, key });
      process.stdout.write(`Signed in to ${origin} as ${name}; kept in ${loginFile()}.\n`);
    });
};
