import type { Client } from '../../src/contract/client.ts';
import type { Webhook } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';

/** A webhook by its id or its name. @throws CliError when there is none, or several have the name */
export async function findWebhook(client: Client, given: string): Promise<Webhook> {
  const all = await client.webhooks.list();
  const found = all.filter(({ id, name }) => String(id) === given || name === given);
  const [first] = found;
  if (!first) throw wrongError(`There is no webhook "${given}".`, 'See `enfilade webhooks list`.');
  if (found.length > 1) throw wrongError(`${found.length} webhooks are called "${given}".`, 'Name it by its id.');
  return first;
}
