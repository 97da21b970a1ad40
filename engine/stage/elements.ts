import type { ElementType } from '../document/element.ts';
import type { ElementDrawing } from './context.ts';

/** How each element type is drawn: a file of its name each, loaded when the first element of the type appears. */
const drawings = import.meta.glob<ElementDrawing>('./elements/*.ts', { import: 'draw' });

/** The drawing of an element type; undefined when the type draws nothing. */
export async function drawingOf(type: ElementType): Promise<ElementDrawing | undefined> {
  return drawings[`./elements/${type.replaceAll('_', '-')}.ts`]?.();
}
