/** Gives the keys to the canvas: arrows move what is selected. */
export function focusCanvas(): void {
  document.querySelector<HTMLElement>('[role="application"][aria-label="Room"]')?.focus({ preventScroll: true });
}
