import type { StageContext } from '../context.ts';

/**
 * Returns a function that expands an element to the whole page, or returns it to the room.
 * @param element a panel, or a video that is otherwise drawn as a texture
 */
export function fullPageOf(context: StageContext, element: HTMLElement): (on: boolean) => void {
  return (on) => {
    context.container.classList.toggle('is-fullpage', on);
    element.toggleAttribute('data-fullpage', on);
    context.invalidate();
  };
}
