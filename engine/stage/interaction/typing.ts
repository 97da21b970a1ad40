/** Where keys and presses belong to what is typed, or to a dialog or menu. */
const TYPING =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="dialog"], [role="menu"]';

/** Whether somebody types, or a dialog or menu is open, where an event happened. @param target of the event */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPING) !== null;
