import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { EditTools } from '../../../engine/tools/edit-tools.ts';

/** The canvas, wherever it stands in the page. */
const SURFACE = '[role="application"][aria-label="Room"]';

/** The place in the room that the middle of the canvas shows. */
export function middleOfCanvas(tools: EditTools): Spot {
  const { left, top, width, height } = document.querySelector(SURFACE)!.getBoundingClientRect();
  return tools.spotAt(left + width / 2, top + height / 2);
}

/** The place in the room under the pointer; undefined where the pointer is not over the canvas. */
export const spotAtPointer = (tools: EditTools, { x, y }: { x: number; y: number }): Spot | undefined =>
  document.elementFromPoint(x, y)?.closest(SURFACE) ? tools.spotAt(x, y) : undefined;

/** The place in the room under the pointer; in the middle of the canvas where the pointer is elsewhere. */
export const spotUnder = (tools: EditTools, pointer: { x: number; y: number }): Spot =>
  spotAtPointer(tools, pointer) ?? middleOfCanvas(tools);
