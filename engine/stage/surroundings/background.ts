/**
 * Shows an image behind everything that a stage draws: it fills the stage, cut where its ratio differs, and stays as the
 * camera moves.
 * @param container element that the stage fills
 * @param url address of the image
 * @returns a function that takes it away
 * @throws when it can't be loaded
 */
export async function showBackground(container: HTMLElement, url: string): Promise<() => void> {
  const image = new Image();
  image.className = 'stage-background';
  image.alt = '';
  image.src = url;
  try {
    await image.decode();
  } catch {
    throw new Error(`The background image of the room could not be loaded: ${url}`);
  }
  container.prepend(image);
  return () => image.remove();
}
