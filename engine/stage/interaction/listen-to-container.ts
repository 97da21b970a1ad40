/** Signs of a visitor, after which things may move. */
const CONTAINER_EVENTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const;

interface Hears {
  /** Told when the size of the element is another one. */
  resized(): void;
  /** Told when a visitor does something. */
  woken(): void;
}

/**
 * Follows the size of the element that a stage fills, and signs of visitors in it.
 * @returns a function that stops
 */
export function listenToContainer(container: HTMLElement, { resized, woken }: Hears): () => void {
  const observer = new ResizeObserver(resized);
  observer.observe(container);
  for (const sign of CONTAINER_EVENTS) container.addEventListener(sign, woken, { passive: true });
  return () => {
    observer.disconnect();
    for (const sign of CONTAINER_EVENTS) container.removeEventListener(sign, woken);
  };
}
