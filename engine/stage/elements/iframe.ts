import { alternativeOf, isDecorative } from '../../document/alternative.ts';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';
import { isInUse, nearWhenUsed } from '../media/late-player.ts';
import { framedPage, holderOf, panelSize, showPage } from '../rendering/frame.ts';

/** An embedded web page. */
export const draw: ElementDrawing<ElementOf<'iframe'>> = async (context, element) => {
  const { address, sandbox } = framedPage(element);
  if (!address) throw new Error('The frame has no address.');
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', sandbox);
  frame.allow = 'fullscreen';
  frame.loading = 'lazy';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.title = alternativeOf(element) || element.name || 'Page';
  let leave: Promise<() => void> | undefined;
  const near = () => {
    leave ??= showPage(frame, address);
  };
  const holder = holderOf(frame, 'iframe');
  if (isDecorative(element)) {
    holder.ariaHidden = 'true';
    frame.tabIndex = -1;
  }
  nearWhenUsed(holder, near);
  const far = () => {
    if (isInUse(holder)) return;
    void leave?.then((end) => end());
    leave = undefined;
  };
  return { ...(await drawPanel(context, holder, panelSize(element), 0)), near, far };
};
