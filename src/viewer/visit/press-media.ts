import type { Element } from '../../../engine/document/element.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';

/**
 * Presses on what plays: one with the setting opens over the page, others begin and pause.
 * @returns whether the press was about that alone, and follows no link
 */
export function pressMedia(element: Element, send: (input: VisitorInput) => void): boolean {
  const { id } = element;
  // Players of the page and framed pages take their presses themselves.
  if (element.element === 'iframe') return true;
  if (element.element === 'video' || element.element === 'live_stream') {
    send({ type: 'select', element_id: id });
    return true;
  }
  if (element.element !== 'native_video') return false;
  const { fullscreen, navigation } = element.config;
  if (fullscreen) send({ type: 'select', element_id: id });
  else if (navigation.type === 'disabled') send({ type: 'toggle', element_id: id });
  return fullscreen || navigation.type === 'disabled';
}
