import type { FlatElement } from '../../../engine/document/element.ts';
import type { Link, Navigation } from '../../../engine/document/navigation.ts';
import { sanitizePage, sanitizeRichText } from '../html/sanitize-html.ts';

/** A navigation whose HTML, if it has any, is safe. */
const cleanNavigation = (navigation: Navigation): Navigation =>
  navigation.type === 'modal_content'
    ? {
        ...navigation,
        type_config: { ...navigation.type_config, content: sanitizePage(navigation.type_config.content) },
      }
    : navigation;

/** A link whose HTML, if it has any, is safe. */
export const cleanLink = (link: Link | null): Link | null =>
  link && { ...link, navigation: cleanNavigation(link.navigation) };

/** A checked element whose HTML is safe. */
export function cleanElement<T extends FlatElement>(element: T): T {
  const config: Record<string, unknown> = { ...element.config };
  if (element.element === 'html') config.body = sanitizePage(element.config.body);
  if (element.element === 'rich_text') config.body = sanitizeRichText(element.config.body);
  if ('navigation' in element.config) config.navigation = cleanNavigation(element.config.navigation);
  return { ...element, config };
}
