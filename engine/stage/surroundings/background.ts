import type { StageContext } from '../context.ts';

/** An image behind everything that a stage draws: it fills the stage, cut where its ratio differs, and stays as the camera moves. */
export class Background {
  readonly #context: StageContext;
  readonly #fail: (error: unknown) => void;
  /** Address of the image that stands, or is on its way. */
  #url: string | undefined;
  #image: HTMLImageElement | undefined;

  /** @param fail told of an image that cannot be loaded */
  constructor(context: StageContext, fail: (error: unknown) => void) {
    this.#context = context;
    this.#fail = fail;
  }

  /** Shows an image; the one so far stays until it is there. @param url its address; undefined shows none */
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
