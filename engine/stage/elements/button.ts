import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';

/** Corner radius in pixels, default and rounded. */
const BUTTON_RADIUS = { plain: 6, round: 9999 };

/** A native button, which also works with the keyboard. */
export const draw: ElementDrawing<ElementOf<'button'>> = async (context, element) => {
  const { title, sub_title, font_size, sub_title_font_size, rounded_corners } = element.config;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'stage-panel stage-button';
  const radius = rounded_corners ? BUTTON_RADIUS.round : BUTTON_RADIUS.plain;
  button.style.borderRadius = `${radius}px`;
  const words = document.createElement('span');
  words.textContent = title;
  words.dir = 'auto';
  words.style.fontSize = `${font_size}px`;
  button.append(words);
  if (sub_title) {
    const smaller = document.createElement('small');
    smaller.textContent = sub_title;
    smaller.dir = 'auto';
    smaller.style.fontSize = `${sub_title_font_size}px`;
    button.append(smaller);
  }
  if (!title && !sub_title && element.name) button.ariaLabel = element.name;
  return drawPanel(context, button, element, radius);
};
