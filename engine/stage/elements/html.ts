import DOMPurify from 'dompurify';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';

/** Default width of a panel in units. */
const HTML_WIDTH = 480;
/** Corner radius of panels in pixels. */
const HTML_RADIUS = 6;

/** An HTML panel; scripts and event handlers are removed before it is shown. */
export const draw: ElementDrawing<ElementOf<'html'> | ElementOf<'rich_text'>> = async (context, element) => {
  const content = document.createElement('div');
  content.className = `stage-panel stage-${element.element}`;
  content.dir = 'auto';
  content.style.padding = `${element.config.padding}px`;
  content.append(DOMPurify.sanitize(element.config.body, { RETURN_DOM_FRAGMENT: true, ADD_ATTR: ['target'] }));
  for (const link of content.querySelectorAll('a[target]')) link.setAttribute('rel', 'noopener noreferrer');
  return drawPanel(context, content, { width: element.width ?? HTML_WIDTH, height: element.height }, HTML_RADIUS);
};
