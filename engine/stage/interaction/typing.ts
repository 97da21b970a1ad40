/** Elements that handle keys and clicks themselves: inputs, dialogs, menus. */
const TYPING =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="dialog"], [role="menu"]';

/** Whether an event happened in an input, dialog or menu. @param target of the event */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPING) !== null;
