import type { StageContext } from '../context.ts';

/** An image behind the stage's content, covering the container regardless of camera movement. */
export class Background {
  readonly #context: StageContext;
  readonly #fail: (error: unknown) => void;
  /** URL of the current or loading image. */
  #url: string | undefined;
  #image: HTMLImageElement | undefined;

  /** @param fail called if an image can't be loaded */
  constructor(context: StageContext, fail: (error: unknown) => void) {
    this.#context = context;
    this.#fail = fail;
  }

  /** Shows an image, keeping the previous one until it is loaded. @param url undefined removes the image */
  async show(url: string | undefined): Promise<void> {
    if (url === this.#url) return;
    this.#url = url;
    const image = url === undefined ? undefined : new Image();
    if (image) {
      image.className = 'stage-background';
      image.alt = '';
      image.src = url!;
      try {
        await this.#context.resources.track(() => image.decode());
      } catch {
        if (this.#url === url) this.#fail(new Error(`The background image of the room could not be loaded: ${url}`));
        return;
      }
    }
    if (this.#url !== url) return;
    this.#image?.remove();
    this.#image = image;
    if (image) this.#context.container.prepend(image);
  }

  dispose(): void {
    this.#url = undefined;
    this.#image?.remove();
  }
}
