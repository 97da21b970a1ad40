/** Gives something the focus, but in a frame only where the visitor is in it already: a page that embeds a room keeps its own. */
export function takeFocus(element: HTMLElement): void {
  if (self === top || document.hasFocus()) element.focus({ preventScroll: true });
}
