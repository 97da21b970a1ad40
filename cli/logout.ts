import { type AddCommand, examples } from './command.ts';

export const logout: AddCommand = (program) => {
  program
    .command('logout')
    .description(
      'forget what login stored, and end the session; an API key works on until it is removed in the settings',
    )
    .addHelpText('after', examples('enfilade logout'))
    .action(async () => {
      const { forgetLogin } = await import('./connection.ts');
      const { endSession } = await import('./end-session.ts');
      const kept = forgetLogin();
      process.stdout.write(kept ? await endSession(kept) : 'Nothing was stored.\n');
    });
};
