/** Events that indicate visitor activity. */
const CONTAINER_EVENTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const;

interface ContainerHandlers {
  /** Called when the container's size changes. */
  resized(): void;
  /** Called on visitor activity. */
  woken(): void;
}

/**
 * Observes a stage container's size and visitor activity in it.
 * @returns a function that stops observing
 */
export function listenToContainer(container: HTMLElement, { resized, woken }: ContainerHandlers): () => void {
  const observer = new ResizeObserver(resized);
  observer.observe(container);
  for (const sign of CONTAINER_EVENTS) container.addEventListener(sign, woken, { passive: true });
  return () => {
    observer.disconnect();
    for (const sign of CONTAINER_EVENTS) container.removeEventListener(sign, woken);
  };
}
