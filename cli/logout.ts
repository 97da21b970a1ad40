import { type AddCommand, examples } from './command.ts';

export const logout: AddCommand = (program) => {
  program
    .command('logout')
    .description(
      'delete the stored credentials and end the session; an API key remains valid until revoked in the settings',
    )
    .addHelpText('after', examples('enfilade logout'))
    .action(async () => {
      const { forgetLogin } = await import('./connection.ts');
      const { endSession } = await import('./end-session.ts');
      const kept = forgetLogin();
      process.stdout.write(kept ? await endSession(kept) : 'No stored credentials.\n');
    });
};
