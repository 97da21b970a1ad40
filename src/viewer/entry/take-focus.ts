/** Focuses an element; in an iframe only if the iframe has focus, so that the embedding page keeps its own. */
export function takeFocus(element: HTMLElement): void {
  if (self === top || document.hasFocus()) element.focus({ preventScroll: true });
}
