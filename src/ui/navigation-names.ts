import type { Navigation } from '../../engine/document/navigation.ts';

/** What the kinds of link are called. */
export const NAVIGATION_NAMES: Record<Navigation['type'], string> = {
  disabled: 'Disabled',
  space: 'Space',
  url: 'URL',
  slug: 'Slug',
  event: 'Event',
  view_point: 'View point',
  slider: 'Slider',
  modal_url: 'Pop-up with a page',
  modal_content: 'Pop-up with text',
  modal_static: 'Built-in pop-up',
  modal_share: 'Share form',
};
