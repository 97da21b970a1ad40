import type { Navigation } from '../../../engine/document/navigation.ts';
import { NAVIGATION_NAMES } from '../navigation/navigation-names.ts';

/** Where a link leads, as far as it says so in one line. */
function targetOf(navigation: Navigation): string {
  switch (navigation.type) {
    case 'space':
      return navigation.type_config.endpoint_url;
    case 'url':
      return navigation.type_config.url;
    case 'slug':
      return ['', navigation.type_config.slug_one, navigation.type_config.slug_two].filter(Boolean).join('/');
    case 'event':
      return navigation.type_config.name;
    case 'modal_url':
      return navigation.type_config.title || navigation.type_config.url;
    case 'modal_content':
      return navigation.type_config.title;
    case 'modal_static':
      return navigation.type_config.name;
    default:
      return '';
  }
}

/** What a link does for visitors, in a sentence: a preview stays where it is. */
export function linkSentence(navigation: Navigation): string {
  const target = targetOf(navigation);
  return `For visitors, this follows a link: ${NAVIGATION_NAMES[navigation.type]}${target && `, ${target}`}.`;
}
