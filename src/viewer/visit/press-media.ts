import type { Element } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';

/**
 * Handles presses on media: opens it full page if set to, otherwise toggles playback.
 * @returns whether the press is handled, so that no link is followed
 */
export function pressMedia(element: Element, send: (input: VisitorInput) => void): boolean {
  const { id, config } = element;
  const { press } = traitsOf(element.element);
  if (press !== 'open' && press !== 'play') return false;
  const { fullscreen, navigation } = config as { fullscreen: boolean; navigation?: Navigation };
  const leads = navigation !== undefined && navigation.type !== 'disabled';
  if (press === 'open' || fullscreen) send({ type: 'select', element_id: id });
  else if (!leads) send({ type: 'toggle', element_id: id });
  return press === 'open' || fullscreen || !leads;
}
