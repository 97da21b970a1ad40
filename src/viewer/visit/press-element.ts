import type { Element } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import type { VisitStore } from './visit-store.ts';

/**
 * Handles presses on media: opens it full page if set to, otherwise toggles playback.
 * @returns whether the press is handled, so that no link is followed
 */
function pressMedia(element: Element, send: (input: VisitorInput) => void): boolean {
  const { id, config } = element;
  const { press } = traitsOf(element.element);
  if (press !== 'open' && press !== 'play') return false;
  const { fullscreen, navigation } = config as { fullscreen: boolean; navigation?: Navigation };
  const leads = navigation !== undefined && navigation.type !== 'disabled';
  if (press === 'open' || fullscreen) send({ type: 'select', element_id: id });
  else if (!leads) send({ type: 'toggle', element_id: id });
  return press === 'open' || fullscreen || !leads;
}

/** Actions of a press. */
interface PressHost {
  readonly store: Pick<VisitStore, 'show'>;
  send(input: VisitorInput): void;
  goToViewPoint(id: number): void;
  follow(navigation: Navigation | undefined): void;
}

/**
 * Handles a press on an element.
 * @param inside the pressed child of a slider group
 */
export function pressElement(element: Element, inside: Element | undefined, host: PressHost): void {
  if (traitsOf(element.element).press === 'go') host.goToViewPoint(element.id);
  if (traitsOf(element.element).reads === 'children') {
    host.send({ type: 'slider.open', element_id: (inside ?? element).id });
    return;
  }
  if (pressMedia(element, (input) => host.send(input))) return;
  const { navigation } = element.config as { navigation?: Navigation };
  if (traitsOf(element.element).press === 'look' && navigation?.type === 'disabled')
    host.store.show({ kind: 'image', element });
  else host.follow(navigation);
}
