import { Group } from 'three';
import type { ElementView, StageContext } from '../context.ts';

interface PanelSize {
  width: number | null;
  height: number | null;
}

/**
 * Creates an element view from DOM content.
 * @param radius of the corners in pixels
 */
export async function drawPanel(
  context: StageContext,
  content: HTMLElement,
  size: PanelSize,
  radius: number,
): Promise<ElementView> {
  const dom = await context.dom();
  const panel = dom.add(content, size, radius, () => context.invalidate());
  const object = new Group().add(panel.hole);
  return {
    object,
    target: panel.hole,
    page: content,
    show: (visible) => panel.show(visible),
    dispose: () => panel.dispose(),
  };
}
