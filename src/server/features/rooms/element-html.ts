import type { Element } from '../../../../engine/document/element.ts';
import type { Link, Navigation } from '../../../../engine/document/navigation.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';

/** A navigation whose HTML, if it has any, is safe. */
const cleanNavigation = (navigation: Navigation, html: HtmlCleaner): Navigation =>
  navigation.type === 'modal_content'
    ? {
        ...navigation,
        type_config: { ...navigation.type_config, content: html.page(navigation.type_config.content) },
      }
    : navigation;

/** A link whose HTML, if it has any, is safe. */
export const cleanLink = (link: Link | null, html: HtmlCleaner): Link | null =>
  link && { ...link, navigation: cleanNavigation(link.navigation, html) };

/** A checked element whose HTML is safe. */
export function cleanElement<T extends Element>(element: T, html: HtmlCleaner): T {
  const config: Record<string, unknown> = { ...element.config };
  if (element.element === 'html') config.body = html.page(element.config.body);
  if (element.element === 'rich_text') config.body = html.richText(element.config.body);
  if ('navigation' in element.config) config.navigation = cleanNavigation(element.config.navigation, html);
  return { ...element, config };
}
