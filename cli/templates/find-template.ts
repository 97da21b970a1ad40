import type { Client } from '../../src/contract/client.ts';
import type { AdminTemplate } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { eachEntry } from '../report/pages.ts';
import type { TemplateOrder } from '../words.ts';

/** Every template, by name unless another order is asked for, one at a time. */
export const eachTemplate = (client: Client, sort?: TemplateOrder): AsyncGenerator<AdminTemplate> =>
  eachEntry((page) => client.templates.list({ query: { ...page, sort } }));

/**
 * The template with this id or name.
 * @throws CliError when there is none, or several have the name
 */
export async function findTemplate(client: Client, wanted: string): Promise<AdminTemplate> {
  const found: AdminTemplate[] = [];
  for await (const template of eachTemplate(client))
    if (String(template.id) === wanted || template.name === wanted) found.push(template);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw wrongError(`There is no template "${wanted}".`, 'enfilade templates list shows them.');
  throw wrongError(`Several templates are called "${wanted}".`, `Use an id: ${found.map(({ id }) => id).join(', ')}.`);
}
