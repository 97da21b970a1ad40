import type { PictureParts } from '../stage-options.ts';
import { Cards } from './cards.ts';

/**
 * Replaces panels, which WebGL images can't contain, by cards with their text or video.
 * @returns a function that removes the cards
 */
export function dressWithCards({ views, domLayer }: PictureParts): () => void {
  const cards = new Cards();
  domLayer?.setHoles(false);
  cards.show(views.panels());
  return () => {
    cards.dispose();
    domLayer?.setHoles(true);
  };
}
