import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';
import { holderOf, panelSize } from '../frame.ts';
import { drawPanel } from '../panel.ts';

/** What a framed page may do. */
const RIGHTS = 'allow-scripts allow-forms allow-popups allow-pointer-lock';

/**
 * Another page in the room. An uploaded one has an origin of its own: with this site's, its scripts could act as the
 * visitor, and take the sandbox away.
 */
export const drawIframe: ElementDrawing<ElementOf<'iframe'>> = async (context, element) => {
  const { src, file_url } = element.config;
  const uploaded = file_url || element.file?.url;
  const address = uploaded || src;
  if (!address) throw new Error('The frame has no address.');
  const isForeign = !uploaded && new URL(address, location.href).origin !== location.origin;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', isForeign ? `${RIGHTS} allow-same-origin` : RIGHTS);
  frame.allow = 'fullscreen';
  frame.loading = 'lazy';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.title = element.name || 'Page';
  frame.src = address;
  return drawPanel(context, holderOf(frame, 'iframe'), panelSize(element), 0);
};
