import type { Messages } from '../contract/errors.ts';
import { showProblemText } from './notifications.ts';

const plainText = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Waits for the next render. */
const drawn = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });

/**
 * Shows form errors that aren't visible on the screen: those of fields in another tab, or of fields the form lacks. Every
 * form passes its errors here.
 */
export async function reportUnshown(messages: Messages): Promise<void> {
  const texts = new Set(Object.values(messages).flat());
  if (texts.size === 0) return;
  await drawn();
  // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text.
  const shown = plainText(document.body.innerText);
  for (const text of texts) if (!shown.includes(plainText(text))) showProblemText(text);
}
