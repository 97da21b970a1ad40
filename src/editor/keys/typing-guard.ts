/** Milliseconds without a key after which typing has ended. */
const PAUSE = 1000;

const TEXT_FIELD =
  'textarea, [contenteditable]:not([contenteditable="false"]), input:not([type="checkbox"], [type="radio"], [type="range"], [type="color"], [type="file"])';

const textFieldOf = (target: EventTarget | null): HTMLElement | null => {
  const field = target instanceof Element ? target.closest<HTMLElement>(TEXT_FIELD) : null;
  return field?.matches(':disabled, :read-only:is(input, textarea)') ? null : field;
};

/** Keys with Ctrl that edit text. */
const EDITING = 'abcivxyzu';

/** Whether a key leaves its field deliberately. */
function isLeaving({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent, field: HTMLElement): boolean {
  if (isComposing) return false;
  if (key === 'Escape' || key === 'Tab' || (key === 'Enter' && field.matches('input'))) return true;
  return (ctrlKey || metaKey) && !altKey && key.length === 1 && !EDITING.includes(key.toLowerCase());
}

/** Whether a field no longer accepts input: it was removed or disabled, or its dialog is closing. */
function isGone(field: HTMLElement, target: EventTarget | null): boolean {
  if (!field.isConnected || !field.matches(TEXT_FIELD) || field.matches(':disabled') || !field.checkVisibility())
    return true;
  const dialog = field.closest('[role="dialog"]');
  return dialog !== null && !dialog.contains(target as Node | null);
}

/**
 * Ignores keys after the focused field disappears, until the user pauses or presses the pointer: the rest of
 * a word must not trigger shortcuts. Call it before other key listeners are registered.
 */
export function guardTyping(): void {
  let typedInto: HTMLElement | null = null;
  let typedAt = 0;
  addEventListener(
    'keydown',
    (event) => {
      const field = textFieldOf(event.target);
      if (field) typedInto = isLeaving(event, field) ? null : field;
      else if (typedInto) {
        if (event.timeStamp - typedAt > PAUSE || !isGone(typedInto, event.target)) {
          typedInto = null;
          return;
        }
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      typedAt = event.timeStamp;
    },
    { capture: true },
  );
  addEventListener('pointerdown', () => (typedInto = null), { capture: true });
}
