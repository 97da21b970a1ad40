import type { Element } from '../../../engine/document/element.ts';
import type { Room } from '../../../engine/document/room.ts';
import { walk } from '../../../engine/document/tree.ts';
import { logWords } from '../reports/console.ts';

/** Types of elements that can be links. */
export const LINKING: readonly Element['element'][] = [
  'button',
  'html',
  'image',
  'model',
  'native_video',
  'rich_text',
  'text',
];

const isBroken = (link: unknown): boolean => typeof link === 'object' && link !== null && !('navigation' in link);

/** Tells of links in a room that lead nowhere, because what they do was left out. */
export function readLinks({ config, elements }: Room, tell: typeof logWords = logWords): void {
  const report = (where: Record<string, unknown>) => tell('Invalid IHtmlLink. Missing navigation key', where);
  for (const [name, value] of Object.entries(config))
    if (/_link$|_action_/.test(name) && isBroken(value)) report({ field: name });
  for (const element of walk(elements))
    if (LINKING.includes(element.element) && isBroken(element.config)) report({ element_id: element.id });
}
