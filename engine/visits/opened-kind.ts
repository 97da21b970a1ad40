import type { Element } from '../document/element.ts';
import type { Navigation } from '../document/navigation.ts';
import { traitsOf } from '../document/traits-of.ts';

/** What opens when an element is pressed. */
export type OpenedKind = 'link' | 'door' | 'media' | 'popup' | 'slider' | 'view_point' | 'event';

const KINDS: Record<Navigation['type'], OpenedKind | null> = {
  disabled: null,
  space: 'door',
  slug: 'door',
  url: 'link',
  event: 'event',
  view_point: 'view_point',
  slider: 'slider',
  modal_url: 'popup',
  modal_content: 'popup',
  modal_static: 'popup',
  modal_share: 'popup',
};

/** What a press on an element opens; null where it opens nothing. */
export function openedKindOf({ element, config }: Element): OpenedKind | null {
  const { press, plays, reads } = traitsOf(element);
  if (press === 'go') return 'view_point';
  if (reads === 'children') return 'slider';
  if (plays) return 'media';
  const { navigation } = config as { navigation?: Navigation };
  return navigation ? KINDS[navigation.type] : null;
}
