import type { StageContext } from '../context.ts';

/**
 * Lets a piece of the page cover the whole page, and puts it back into the room.
 * @param element that covers it: a panel of the room, or a film that is otherwise only drawn
 */
export function fullPageOf(context: StageContext, element: HTMLElement): (on: boolean) => void {
  return (on) => {
    context.container.classList.toggle('is-fullpage', on);
    element.toggleAttribute('data-fullpage', on);
    context.invalidate();
  };
}
