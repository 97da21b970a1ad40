import { type AddCommand, examples } from './command.ts';
import { forgetLogin } from './connection.ts';

export const logout: AddCommand = (program) => {
  program
    .command('logout')
    .description('forget what login keeps; the key itself goes on working until it is removed in the settings')
    .addHelpText('after', examples('enfilade logout'))
    .action(() => {
      process.stdout.write(forgetLogin() ? 'Forgotten.\n' : 'Nothing was kept.\n');
    });
};
