import type { PerspectiveCamera } from 'three';
import type { Scene } from '../../scene/scene.ts';
import type { DomLayer } from './dom.ts';

/** The layer of pieces of page, which is loaded with the first of them. */
export class LazyDomLayer {
  readonly #container: HTMLElement;
  readonly #scene: Scene;
  readonly #isInert: boolean;
  #loading: Promise<DomLayer> | undefined;
  #layer: DomLayer | undefined;

  /** @param isInert whether nothing in it takes pointer or keys */
  constructor(container: HTMLElement, scene: Scene, isInert: boolean) {
    this.#container = container;
    this.#scene = scene;
    this.#isInert = isInert;
  }

  /** The layer; undefined before there is one. */
  get layer(): DomLayer | undefined {
    return this.#layer;
  }

  /** Loads the layer. @param ready told once, when it is there and has no size yet */
  load(ready: () => void): Promise<DomLayer> {
    this.#loading ??= import('./dom.ts').then(({ DomLayer }) => {
      this.#layer = new DomLayer(this.#container, this.#scene);
      this.#layer.element.inert = this.#isInert;
      ready();
      return this.#layer;
    });
    return this.#loading;
  }

  render(camera: PerspectiveCamera): void {
    this.#layer?.render(camera);
  }

  dispose(): void {
    // It may still be on its way.
    void this.#loading?.then((layer) => layer.dispose());
  }
}
