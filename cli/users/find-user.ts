import type { Client } from '../../src/contract/client.ts';
import type { Member } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { eachEntry } from '../report/pages.ts';
import type { UserOrder } from '../words.ts';

/** Every user of the organization, by name unless another order is asked for, one at a time. */
export const eachUser = (client: Client, sort?: UserOrder): AsyncGenerator<Member> =>
  eachEntry((page) => client.users.list({ query: { ...page, sort } }));

/**
 * The user with this e-mail or id.
 * @throws CliError when there is none
 */
export async function findUser(client: Client, wanted: string): Promise<Member> {
  const email = wanted.trim().toLowerCase();
  // An e-mail is never a number.
  for await (const user of eachUser(client)) if (user.email === email || String(user.id) === wanted) return user;
  throw wrongError(`There is no user "${wanted}".`, 'enfilade users list shows their e-mails.');
}
