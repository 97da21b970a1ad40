/** Where keys belong to what is typed, or to a dialog. */
const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

/** Whether somebody types, or a dialog is open, where an event happened. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPING) !== null;
