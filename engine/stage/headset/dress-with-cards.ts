import type { PictureParts } from '../stage-options.ts';
import { Cards } from './cards.ts';

/**
 * Has cards stand for pieces of page, which are in no picture of WebGL: their words, or the film that plays in them.
 * @returns takes the cards away
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
