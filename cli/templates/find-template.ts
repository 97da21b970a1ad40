import type { Client } from '../../src/contract/client.ts';
import type { AdminTemplate } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { allPages } from '../report/pages.ts';

/** Every template, by name. */
export const allTemplates = (client: Client): Promise<AdminTemplate[]> =>
  allPages((page) => client.templates.list({ query: page }));

/**
 * The template with this id or name.
 * @throws CliError when there is none, or several have the name
 */
export async function findTemplate(client: Client, wanted: string): Promise<AdminTemplate> {
  const all = await allTemplates(client);
  const found = all.filter(({ id, name }) => String(id) === wanted || name === wanted);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw wrongError(`There is no template "${wanted}".`, 'enfilade templates list shows them.');
  throw wrongError(`Several templates are called "${wanted}".`, `Use an id: ${found.map(({ id }) => id).join(', ')}.`);
}
