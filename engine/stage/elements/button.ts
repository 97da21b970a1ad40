import type { ElementOf } from '../../document/element.ts';
import type { Navigation } from '../../document/navigation.ts';
import type { ElementDrawing } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';

/** Corner radius in pixels, default and rounded. */
const BUTTON_RADIUS = { plain: 6, round: 9999 };

/** Links to another room: the button shows a way on. */
const LEADS: ReadonlySet<Navigation['type']> = new Set(['space', 'slug']);

/** Smallest size of a label relative to its settings. */
const MIN_SCALE = 0.3;

/** Makes the label of a button smaller until it fits. */
function shrinkToFit(button: HTMLElement): void {
  const isOver = () => button.scrollWidth > button.clientWidth || button.scrollHeight > button.clientHeight;
  for (let scale = 1; scale > MIN_SCALE; scale *= 0.92) {
    button.style.setProperty('--fit', String(scale));
    if (!isOver()) return;
  }
}

/** A native button, which also works with the keyboard, or a hotspot. */
export const draw: ElementDrawing<ElementOf<'button'>> = async (context, element, entity) => {
  const { title, sub_title, font_size, sub_title_font_size, rounded_corners, navigation } = element.config;
  if (element.config.appearance === 'hotspot')
    return (await import('./parts/hotspot.ts')).drawHotspot(context, element, entity);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'stage-panel stage-button';
  const radius = rounded_corners ? BUTTON_RADIUS.round : BUTTON_RADIUS.plain;
  button.style.borderRadius = `${radius}px`;
  button.style.setProperty('--radius', `${radius}px`);
  const words = document.createElement('span');
  words.textContent = title;
  words.dir = 'auto';
  words.style.fontSize = `calc(${font_size}px * var(--fit, 1))`;
  const label = document.createElement('span');
  label.className = 'stage-label-text';
  label.append(words);
  button.append(label);
  if (LEADS.has(navigation.type)) button.classList.add('leads');
  if (sub_title) {
    const smaller = document.createElement('small');
    smaller.textContent = sub_title;
    smaller.dir = 'auto';
    smaller.style.fontSize = `calc(${sub_title_font_size}px * var(--fit, 1))`;
    label.append(smaller);
  }
  if (!title && !sub_title && element.name) button.ariaLabel = element.name;
  // The padding follows the font size, so that labels keep their distance from the edge.
  button.style.fontSize = `calc(${font_size}px * var(--fit, 1))`;
  const view = await drawPanel(context, button, element, radius);
  shrinkToFit(button);
  // Other fonts have other widths.
  void document.fonts.ready.then(() => shrinkToFit(button));
  return view;
};
