/** `key` value of keys handled by an input method, even after the composition ended. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Hides input method keys from all other listeners, so that Enter confirming a Japanese word neither closes a field nor
 * saves. Call once, before adding other listeners.
 */
export function ignoreComposition(): void {
  const ignore = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD) event.stopImmediatePropagation();
  };
  addEventListener('keydown', ignore, { capture: true });
  addEventListener('keyup', ignore, { capture: true });
}
