import type { ElementType } from '../document/element.ts';
import type { ElementDrawing } from './context.ts';

/** One module per element type, loaded when the first element of the type appears. */
const drawings = import.meta.glob<ElementDrawing>('./elements/*.ts', { import: 'draw' });

/** The drawing function of an element type; undefined if the type draws nothing. */
export async function drawingOf(type: ElementType): Promise<ElementDrawing | undefined> {
  return drawings[`./elements/${type.replaceAll('_', '-')}.ts`]?.();
}
