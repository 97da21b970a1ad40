import type { Element } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import { pressMedia } from './press-media.ts';

/** Actions of a press. */
interface PressHost {
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
  host.follow(navigation);
}
