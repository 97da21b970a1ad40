import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import { logWords } from '../reports/console.ts';

/** Whether elements of a type can be links. */
const leads = ({ element }: Element): boolean =>
  traitsOf(element).navigation === true && traitsOf(element).press !== 'go';

const isBroken = (link: unknown): boolean => typeof link === 'object' && link !== null && !('navigation' in link);

/** Logs links without a navigation type. */
export function readLinks({ config, elements }: Room, tell: typeof logWords = logWords): void {
  const report = (where: Record<string, unknown>) => tell('Invalid IHtmlLink. Missing navigation key', where);
  for (const [name, value] of Object.entries(config))
    if (/_link$|_action_/.test(name) && isBroken(value)) report({ field: name });
  // A view point needs no link to itself.
  for (const element of elements) if (leads(element) && isBroken(element.config)) report({ element_id: element.id });
}
