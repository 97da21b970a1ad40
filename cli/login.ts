import { type AddCommand, examples } from './command.ts';
import { usageError } from './failure.ts';

export const login: AddCommand = (program) => {
  program
    .command('login')
    .description('store the URL of a server and an API key or session for it, in a file only you can read')
    .option('--url <url>', 'URL of the server (ENFILADE_URL)')
    .option('--email <address>', 'sign in as a user with a password, instead of an API key')
    .option('--code <code>', 'code of the second factor, or a recovery code; prompts if required and omitted')
    .addHelpText(
      'after',
      examples(
        'enfilade login --url https://rooms.example.com        # asks for the API key',
        'enfilade login --url https://rooms.example.com < key.txt',
        'enfilade login --url https://rooms.example.com --email kim@example.com      # asks for the password',
      ),
    )
    .action(
      async ({ url = process.env.ENFILADE_URL, email, code }: { url?: string; email?: string; code?: string }) => {
        if (!url) throw usageError('No server specified.', 'Add --url https://rooms.example.com.');
        const { connectTo, keepLogin, loginFile, originOf } = await import('./connection.ts');
        const { askSecret } = await import('./io/ask.ts');
        const origin = originOf(url);
        const secret = await askSecret(email === undefined ? 'API key' : 'password');
        const { client, token } = connectTo(origin, email === undefined ? secret : null);
        const signIn = async (address: string) => {
          const answer = await client.users.login({ body: { email: address, password: secret } });
          if (!('second_factor_token' in answer)) return answer;
          const body = {
            token: answer.second_factor_token,
            code: code ?? (await askSecret('code of the second factor')),
          };
          return client.secondFactor.signIn({ body });
        };
        const { name, needs_second_factor } = email === undefined ? await client.users.active() : await signIn(email);
        keepLogin({ url: origin, key: token() });
        process.stdout.write(`Signed in to ${origin} as ${name}; stored in ${loginFile()}.\n`);
        if (needs_second_factor) process.stderr.write('Set up a second factor in a browser before you continue.\n');
      },
    );
};
