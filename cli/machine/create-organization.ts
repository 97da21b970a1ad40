import { examples } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place {
  name: string;
  host?: string;
  email: string;
  askPassword?: boolean;
  json?: boolean;
}

export const addOrganization = withPlace((organizations) =>
  organizations
    .command('create')
    .description('add an organization with its administrator to the database of this machine')
    .requiredOption('--name <name>', 'what it is called')
    .requiredOption('--email <address>', "its administrator's e-mail")
    .option('--host <name>', 'host name by which visitors find it, such as rooms.example.com')
    .option('--ask-password', 'ask for the password, or read it from standard input; otherwise one is made up')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples('enfilade org create --name "Museum" --email admin@museum.example --host rooms.museum.example'),
    )
    .action(async ({ name, host: givenHost, email: address, askPassword = false, json, ...place }: Options) => {
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { normalizeHost } = await import('../../src/server/features/organizations/queries.ts');
      const { createOrganization } = await import('../../src/server/features/organizations/service.ts');
      const { onMachine } = await import('./machine.ts');
      const { newPassword, readEmail } = await import('./new-password.ts');
      await onMachine(place, async ({ db, migrate }) => {
        const email = readEmail(address);
        if (!name.trim() || name.length > 255)
          throw wrongError('The name has 1 to 255 characters.', 'Choose another one.');
        await migrate();
        const taken = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
        if (taken) throw wrongError(`A user has the address ${email} already.`, 'Use another one.');
        const host = givenHost === undefined ? null : normalizeHost(givenHost);
        if (givenHost !== undefined && host === null)
          throw usageError(`${givenHost} is no host name.`, 'Use a name such as rooms.example.com, without https://.');
        if (host !== null) {
          const other = await db.selectFrom('organizations').select('name').where('host', '=', host).executeTakeFirst();
          if (other) throw wrongError(`${other.name} answers under ${host} already.`, 'Use another host name.');
        }
        const { password, isMadeUp } = await newPassword(askPassword);
        const at = { db, clock: systemClock };
        const id = await createOrganization(at, { name: name.trim(), host, email, password });
        const shown = isMadeUp ? `\nPassword  ${password}   (shown only this once)` : '';
        const text = `Organization ${id}: ${name.trim()}\nE-mail    ${email}${shown}\n`;
        await writeOutput(undefined, json ? jsonText({ id, email, ...(isMadeUp && { password }) }) : text);
      });
    }),
);
