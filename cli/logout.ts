import { API_KEY_PREFIX } from '../src/contract/entities.ts';
import { type AddCommand, examples } from './command.ts';
import { connectTo, forgetLogin } from './connection.ts';
import { asCliError } from './failure.ts';

/** Ends a session on its server. A key goes on working until it is removed in the settings. */
async function endSession({ url, key }: { url?: string; key?: string }): Promise<string> {
  if (!url || !key || key.startsWith(API_KEY_PREFIX)) return 'Forgotten.\n';
  try {
    await connectTo(url, key).client.users.logout();
  } catch (error) {
    const known = asCliError(error);
    if (!known) throw error;
    // A session that has ended by itself needs no ending.
    if (known.code !== 'signed_out')
      return `Forgotten here. The server was not told; the session ends by itself. ${known.message}\n`;
  }
  return 'Forgotten; the session has ended.\n';
}

export const logout: AddCommand = (program) => {
  program
    .command('logout')
    .description(
      'forget what login keeps, and end the session; an API key works on until it is removed in the settings',
    )
    .addHelpText('after', examples('enfilade logout'))
    .action(async () => {
      const kept = forgetLogin();
      process.stdout.write(kept ? await endSession(kept) : 'Nothing was kept.\n');
    });
};
