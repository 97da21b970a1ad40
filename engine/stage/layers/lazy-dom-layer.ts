import type { PerspectiveCamera } from 'three';
import type { Scene } from '../../scene/scene.ts';
import type { DomLayer } from './dom.ts';

/** The DOM layer, loaded with the first panel. */
export class LazyDomLayer {
  readonly #container: HTMLElement;
  readonly #scene: Scene;
  readonly #isInert: boolean;
  #loading: Promise<DomLayer> | undefined;
  #layer: DomLayer | undefined;

  /** @param isInert whether its content is inert */
  constructor(container: HTMLElement, scene: Scene, isInert: boolean) {
    this.#container = container;
    this.#scene = scene;
    this.#isInert = isInert;
  }

  /** The layer; undefined until loaded. */
  get layer(): DomLayer | undefined {
    return this.#layer;
  }

  /** Loads the layer. @param ready called once, after loading and before the layer has a size */
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
    // It may still be loading.
    void this.#loading?.then((layer) => layer.dispose());
  }
}
