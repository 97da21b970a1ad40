/** Copies or cuts what is selected, as its key does. */
export function copyByMenu(command: 'copy' | 'cut'): void {
  // The menu had the focus; the browser asks whoever has it now what there is to copy.
  (document.activeElement as HTMLElement | null)?.blur();
  document.execCommand(command);
}
