import { examples } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place {
  email: string;
  name: string;
  organization?: string;
  askPassword?: boolean;
  json?: boolean;
}

export const addUser = withPlace((users) =>
  users
    .command('add')
    .description(
      'add an administrator, who signs in with a password, to the database of this machine; the back-office invites people by mail',
    )
    .requiredOption('--email <address>', 'e-mail with which they sign in')
    .option('--name <name>', 'what they are called', 'Administrator')
    .option('--organization <id>', 'organization they belong to, where there are several')
    .option('--ask-password', 'ask for the password, or read it from standard input; otherwise one is made up')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade users add --email kim@example.com --name Kim',
        'enfilade users add --email kim@example.com --ask-password < password.txt',
      ),
    )
    .action(async ({ email: address, name, organization, askPassword = false, json, ...place }: Options) => {
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { createAdministrator } = await import('../../src/server/features/organizations/service.ts');
      const { onMachine } = await import('./machine.ts');
      const { newPassword, readEmail } = await import('./new-password.ts');
      await onMachine(place, async ({ db, migrate }) => {
        const email = readEmail(address);
        if (!name.trim() || name.length > 255)
          throw wrongError('The name has 1 to 255 characters.', 'Choose another one.');
        await migrate();
        const taken = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
        if (taken) throw wrongError(`A user has the address ${email} already.`, 'Use another one.');
        const all = await db.selectFrom('organizations').select(['id', 'name']).orderBy('id').execute();
        const list = all.map(({ id, name: called }) => `${id} (${called})`).join(', ');
        if (all.length === 0) throw wrongError('There is no organization yet.', 'Make one: enfilade org create.');
        if (organization === undefined && all.length > 1)
          throw usageError('Name the organization with --organization.', `There are ${list}.`);
        const chosen = organization === undefined ? all[0] : all.find(({ id }) => String(id) === organization);
        if (!chosen) throw wrongError(`There is no organization ${organization}.`, `There are ${list}.`);
        const { password, isMadeUp } = await newPassword(askPassword);
        const at = { db, clock: systemClock };
        const id = await createAdministrator(at, chosen.id, { name: name.trim(), email, password });
        // The new user signs in with a password, which is the way back in if the identity provider is lost.
        await db.updateTable('organizations').set({ has_password_sign_in: 1 }).where('id', '=', chosen.id).execute();
        const shown = isMadeUp ? `\nPassword  ${password}   (shown only this once)` : '';
        const text = `User ${id} of ${chosen.name}\nE-mail    ${email}${shown}\n`;
        await writeOutput(undefined, json ? jsonText({ id, email, ...(isMadeUp && { password }) }) : text);
      });
    }),
);
