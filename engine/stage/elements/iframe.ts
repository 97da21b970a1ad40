import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';
import { framedPage, holderOf, panelSize } from '../frame.ts';
import { drawPanel } from '../panel.ts';

/** Another page in the room. */
export const drawIframe: ElementDrawing<ElementOf<'iframe'>> = async (context, element) => {
  const { address, sandbox } = framedPage(element);
  if (!address) throw new Error('The frame has no address.');
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', sandbox);
  frame.allow = 'fullscreen';
  frame.loading = 'lazy';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.title = element.name || 'Page';
  frame.src = address;
  return drawPanel(context, holderOf(frame, 'iframe'), panelSize(element), 0);
};
