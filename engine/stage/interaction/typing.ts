/** Elements that handle keys and clicks themselves: inputs, dialogs, menus. */
const TYPING =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="dialog"], [role="menu"]';

/** Whether an event happened in an input, dialog or menu. @param target of the event */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPING) !== null;

/**
 * The character of a key: as printed on Latin keyboards, and that of the US layout where letters are not Latin, so that
 * shortcuts work in Greek, Cyrillic or Arabic.
 */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  return isForeign ? (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key) : key;
}
