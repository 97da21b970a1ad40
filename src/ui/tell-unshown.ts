import type { Messages } from '../contract/errors.ts';
import { showProblemText } from './notifications.ts';

const plainText = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Waits until what was set has been drawn. */
const drawn = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });

/**
 * Says what is wrong with a form where it does not stand on the screen: at a field that is not shown, such as one of
 * another tab, or at one that the form does not have. Every form hands over what it has been told.
 */
export async function tellUnshown(messages: Messages): Promise<void> {
  const texts = new Set(Object.values(messages).flat());
  if (texts.size === 0) return;
  await drawn();
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is in the text content, and is not read.
  const shown = plainText(document.body.innerText);
  for (const text of texts) if (!shown.includes(plainText(text))) showProblemText(text);
}
